// SPDX-License-Identifier: MIT
//
// Runs in a world of its own beside the scripts of a page. `sluice.read()` returns what the page shows that was not
// returned before, as HTML; `sluice.advance()` scrolls on, or presses the button for more; `sluice.settle()` waits for
// the page.
globalThis.sluice ??= (() => {
    const maxLength = 8 << 20, maxDepth = 400, maxValue = 64 << 10;
    const skipped = new Set(['STYLE', 'NOSCRIPT', 'TEMPLATE', 'OBJECT', 'EMBED', 'CANVAS', 'HEAD']);
    const holders = new Set(['IMG', 'SOURCE', 'A', 'AREA', 'AMP-IMG', 'PICTURE']);
    const empty = new Set(['IMG', 'SOURCE', 'AREA', 'BASE', 'BR', 'HR', 'INPUT', 'LINK', 'META', 'WBR', 'COL']);
    const sent = new WeakMap(), pressed = new WeakMap();
    let length = 0, found = 0;

    const escaped = (text) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
    const hash = (text) => {
        let value = 0;
        for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) | 0;
        return value;
    };

    // The address of a background that a style sheet sets.
    const background = (element) => {
        if (element.style?.backgroundImage) return '';
        const image = element.ownerDocument.defaultView?.getComputedStyle(element).backgroundImage ?? '';
        return image.includes('url("http') ? image : '';
    };

    const openTag = (element, isNew) => {
        let text = `<${element.localName}`;
        for (const { name, value } of element.attributes) {
            if (name.startsWith('on') || value.length > maxValue) continue;
            // Addresses of a frame are relative to the frame's own.
            const isAddress = (name === 'src' || name === 'href') && typeof element[name] === 'string';
            const own = element.ownerDocument !== document && isAddress ? element[name] : value;
            if (name !== 'style') text += ` ${name}="${escaped(own)}"`;
        }
        const image = isNew ? background(element) : '';
        const style = [element.getAttribute('style'), image && `background-image:${image}`].filter(Boolean).join(';');
        if (style && style.length < maxValue) text += ` style="${escaped(style)}"`;
        if (image) found++;
        return `${text}>`;
    };

    const script = (element) => {
        const type = element.type.toLowerCase();
        const isData = type.includes('json') || !element.src && (type === '' || type.includes('script'));
        if (!isData || sent.has(element) || element.textContent.length > 2 << 20) return '';
        sent.set(element, 0);
        const kind = type.includes('ld+json') ? 'application/ld+json' : 'application/json';
        return `<script type="${kind}">${element.textContent.replace(/<\//g, '<\\/')}</script>`;
    };

    const children = (node, isNew, depth) => {
        let text = '';
        for (const child of node.childNodes) {
            if (length > maxLength) break;
            if (child.nodeType === Node.ELEMENT_NODE) text += element(child, depth + 1);
            else if (isNew && child.nodeType === Node.TEXT_NODE && child.data.trim()) text += escaped(child.data);
        }
        return text;
    };

    // The element if it is new, or if something in it is.
    const element = (node, depth) => {
        if (node.tagName === 'SCRIPT') return script(node);
        if (skipped.has(node.tagName) || depth > maxDepth) return '';
        const isHolder = holders.has(node.tagName) || node.hasAttribute('style') || node.dataset?.src !== undefined;
        const known = sent.get(node);
        let isNew = known === undefined;
        const open = isNew || isHolder ? openTag(node, isNew) : null;
        if (isHolder && !isNew) isNew = known !== hash(open);
        if (isNew) {
            sent.set(node, isHolder ? hash(openTag(node, false)) : 0);
            if (isHolder && node.tagName !== 'A') found++;
            length += open.length;
        }
        let inner = node.shadowRoot ? children(node.shadowRoot, isNew, depth) : '';
        if (node.tagName === 'IFRAME' || node.tagName === 'FRAME') {
            let body = null;
            try { body = node.contentDocument?.body; } catch { /* Another site's frame. */ }
            inner += body ? element(body, depth + 1) : '';
            return inner ? `<div>${inner}</div>` : '';
        }
        inner += children(node, isNew, depth);
        if (!isNew && !inner) return '';
        const tag = open ?? openTag(node, false);
        return empty.has(node.tagName) ? tag : `${tag}${inner}</${node.localName}>`;
    };

    const read = () => {
        [length, found] = [0, 0];
        let head = `<base href="${escaped(document.baseURI)}"><title>${escaped(document.title)}</title>`;
        for (const node of document.head?.children ?? []) {
            if (node.tagName === 'SCRIPT') head += script(node);
            if (node.tagName === 'META' || node.tagName === 'LINK') head += openTag(node, false);
        }
        const body = document.body ? element(document.body, 0) : '';
        const html = `<!doctype html><html><head>${head}</head>${body}</html>`;
        return { html: html.toWellFormed(), found, address: document.URL };
    };

    // The element that scrolls: the document, or else the largest one inside it.
    const scroller = () => {
        const root = document.scrollingElement ?? document.documentElement;
        if (root.scrollHeight > innerHeight + 8) return root;
        let [best, area] = [root, 0];
        for (const node of document.querySelectorAll('main, section, div, ul')) {
            if (node.scrollHeight <= node.clientHeight + 8 || node.clientHeight < 200) continue;
            const { overflowY } = getComputedStyle(node);
            const size = node.clientWidth * node.clientHeight;
            if ((overflowY === 'auto' || overflowY === 'scroll') && size > area) [best, area] = [node, size];
        }
        return best;
    };

    const words = new RegExp(
        '^(load|show|view|see|get)\\s+(\\d+\\s+)?more\\b|^more(\\s+(photos|images|pictures|results|items|posts))?$'
            + '|^(mehr|weitere)\\s+(laden|anzeigen|bilder|fotos)|^(voir|afficher|charger) (plus|la suite)'
            + '|^(cargar|ver|mostrar) más|^carica altr|^mostra altr', 'i');
    const moreButton = () => {
        const selector = 'button, [role="button"], input[type="button"], a:not([href]), a[href^="#"]';
        for (const node of document.querySelectorAll(selector)) {
            const label = (node.innerText || node.value || node.getAttribute('aria-label') || '').trim();
            if (label.length > 60 || !words.test(label) || node.disabled || !node.checkVisibility?.()) continue;
            if ((pressed.get(node) ?? 0) < 1000) return node;
        }
        return null;
    };

    const advance = () => {
        const target = scroller();
        const before = target.scrollTop;
        target.scrollTo({ top: before + Math.max(target.clientHeight * 0.9, 200), behavior: 'instant' });
        if (Math.abs(target.scrollTop - before) > 2) return 'scrolled';
        const button = moreButton();
        if (!button) {
            // Pages notice the end of a scroll only if something scrolls.
            target.dispatchEvent(new Event('scroll', { bubbles: true }));
            return 'end';
        }
        pressed.set(button, (pressed.get(button) ?? 0) + 1);
        button.click();
        return 'pressed';
    };

    // Resolves when the page has drawn what it has, and has nothing to do: later on a slow machine.
    const settle = () => new Promise((done) => {
        setTimeout(() => done(true), 5000);
        const idle = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 50));
        requestAnimationFrame(() => requestAnimationFrame(() => idle(() => done(true))));
    });

    return { read, advance, settle };
})();
