# SPDX-License-Identifier: MIT
"""Controls a headless Chromium through the WebDriver protocol."""

import http.client
import json
import pathlib
import subprocess
import time


class Browser:
    def __init__(self, width=1280, height=800):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.port = int(line.rstrip(".\n").rsplit(" ", 1)[1])
                break
        arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-sandbox",
            f"--window-size={width},{height}"]
        options = {"goog:chromeOptions": {"args": arguments}, "timeouts": {"script": 1_200_000}}
        self.session = ""
        self.session = "/session/" + self.send("POST", "/session", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    def send(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, self.session + path, None if body is None else json.dumps(body))
        reply = json.load(connection.getresponse())["value"]
        if isinstance(reply, dict) and "error" in reply:
            raise RuntimeError(reply["message"])
        return reply

    def command(self, name, **parameters):
        """Sends a DevTools command."""
        return self.send("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def before_each_page(self, script):
        self.command("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, address):
        self.send("POST", "/url", {"url": address})

    def value(self, expression):
        """Evaluates an expression in the page and waits for a promise."""
        return self.send("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def heap(self):
        """Returns the JavaScript heap in megabytes after garbage collection."""
        self.command("HeapProfiler.collectGarbage")
        self.command("Performance.enable")
        metrics = self.command("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize") / 1e6

    def resident(self):
        """Returns the memory of the renderer process in megabytes, after the browser has emptied its caches."""
        self.command("Memory.simulatePressureNotification", level="critical")
        time.sleep(2)
        sizes = [0]
        for folder in descendants(self.driver.pid):
            if "--type=renderer" in (folder / "cmdline").read_text():
                sizes.append(int((folder / "status").read_text().split("VmRSS:")[1].split()[0]) / 1000)
        return max(sizes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.send("DELETE", "")
        self.driver.kill()
        self.driver.wait()


def descendants(process):
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield pathlib.Path(f"/proc/{child}")
            yield from descendants(child)
