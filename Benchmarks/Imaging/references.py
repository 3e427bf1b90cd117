# SPDX-License-Identifier: MIT
"""Independent decoders: each returns the upright picture of a file in sRGB, with transparency over white."""

import io
import pathlib
import struct
import subprocess
import tempfile
import warnings
from collections.abc import Callable

import numpy
import pillow_heif
import pyvips
from PIL import Image, ImageCms, ImageOps

pillow_heif.register_heif_opener()
warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = None
Pixels = numpy.ndarray
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
# Pictures with these numbers count as sRGB.
SRGB_GAMMA = 0.45455
SRGB_CHROMATICITY = (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)
# Primaries and the curves of powers by their code points; all other curves count as sRGB's.
CODED_CHROMATICITY = {9: (0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046),
                      12: (0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)}
CODED_GAMMA = {4: 1 / 2.2, 5: 1 / 2.8, 8: 1.0}
# The shares of red, green and blue in the brightness.
LUMA = numpy.array([0.299, 0.587, 0.114])
# The turn that makes a picture of each EXIF orientation upright.
TURNS = {2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE", 6: "ROTATE_270", 7: "TRANSVERSE",
         8: "ROTATE_90"}


def pillow(file: pathlib.Path) -> Pixels:
    """Pillow with pillow-heif. In both, the container's rotation replaces that of EXIF."""
    with Image.open(file) as picture:
        info = picture.info
        if picture.format == "GIF":
            return in_srgb(first_frame(picture), info)
        picture.load()
        if picture.format in ("AVIF", "HEIF") and "icc_profile" not in info:
            info = info | code_points(file.read_bytes())
        return in_srgb(ImageOps.exif_transpose(picture), info)


def code_points(data: bytes) -> dict:
    """Returns the chromaticity and the curve that the first colour description of an AVIF or HEIC states."""
    start = data.find(b"colrnclx")
    primaries, transfer = struct.unpack(">HH", data[start + 8:start + 12]) if start >= 0 else (2, 2)
    if primaries not in CODED_CHROMATICITY and transfer not in CODED_GAMMA:
        return {}
    return {"gamma": CODED_GAMMA.get(transfer), "chromaticity": CODED_CHROMATICITY.get(primaries, SRGB_CHROMATICITY)}


def first_frame(picture: Image.Image) -> Image.Image:
    """Returns a GIF's first frame on a canvas that is transparent around it, as in browsers; Pillow's is coloured."""
    box = picture.tile[0][1]
    if box == (0, 0, *picture.size):
        return picture
    canvas = Image.new("RGBA", picture.size)
    canvas.paste(picture.convert("RGBA").crop(box), box[:2])
    return canvas


def in_srgb(picture: Image.Image, info: dict) -> Pixels:
    if picture.mode.startswith("I"):  # grey of 16 bits
        picture = Image.fromarray(numpy.rint(numpy.asarray(picture, float) / 257).clip(0, 255).astype("uint8"))
    # A palette and a transparent colour become alpha.
    if picture.mode in ("P", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
    if picture.mode == "1":
        picture = picture.convert("L")
    alpha = picture.getchannel("A") if "A" in picture.getbands() else None
    if alpha:
        picture = picture.convert("L" if picture.mode == "LA" else "RGB")
    return over_white(colours(picture, info), alpha)


def colours(picture: Image.Image, info: dict) -> Pixels:
    """Returns samples in sRGB, converted with relative intent and black point compensation."""
    if icc := info.get("icc_profile"):
        try:
            profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
            if profile.profile.xcolor_space.strip() == "GRAY" and picture.mode == "RGB":
                picture = picture.convert("L")
            return numpy.asarray(ImageCms.profileToProfile(
                picture, profile, SRGB, ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB",
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION), float)
        except (ImageCms.PyCMSError, OSError):
            pass  # a broken profile, or one for other pixels
    samples = numpy.asarray(picture.convert("RGB"), float)
    if picture.mode != "CMYK" and "gamma" in info and "srgb" not in info and "icc_profile" not in info:
        return by_gamma(samples, info["gamma"], info.get("chromaticity", SRGB_CHROMATICITY))
    return samples


def by_gamma(samples: Pixels, gamma: float | None, chromaticity: tuple[float, ...]) -> Pixels:
    """Converts the samples of a PNG by its `gAMA` and `cHRM` chunks; no gamma means the curve of sRGB."""
    usual = numpy.allclose(chromaticity, SRGB_CHROMATICITY, atol=0.001)
    if gamma is not None and (gamma <= 0 or usual and abs(gamma - SRGB_GAMMA) < 0.000002):
        return samples
    light = samples / 255
    if gamma is None:
        light = numpy.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)
    else:
        light = light ** (1 / gamma)
    if not usual:
        light = light @ (numpy.linalg.inv(to_xyz(SRGB_CHROMATICITY)) @ to_xyz(chromaticity)).T
    light = light.clip(0, 1)
    return 255 * numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def to_xyz(chromaticity: tuple[float, ...]) -> Pixels:
    """Returns the matrix from linear RGB to XYZ for the white of D65, adapted by Bradford."""
    white, *primaries = (
        numpy.array([x / y, 1, (1 - x - y) / y]) for x, y in zip(chromaticity[::2], chromaticity[1::2]))
    columns = numpy.array(primaries).T
    matrix = columns * numpy.linalg.solve(columns, white)
    x, y = SRGB_CHROMATICITY[:2]
    bradford = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    scale = (bradford @ [x / y, 1, (1 - x - y) / y]) / (bradford @ white)
    return numpy.linalg.inv(bradford) @ numpy.diag(scale) @ bradford @ matrix


def over_white(samples: Pixels, alpha: Image.Image | None) -> Pixels:
    if alpha is None:
        return samples
    share = numpy.asarray(alpha, float)[..., None] / 255
    return samples * share + 255 * (1 - share)


def vips(file: pathlib.Path) -> Pixels:
    picture = pyvips.Image.new_from_file(str(file), fail_on="error").autorot()
    if picture.get_typeof("icc-profile-data"):
        picture = picture.icc_transform("srgb", intent="relative", black_point_compensation=True, embedded=True)
    picture = picture.colourspace("srgb")
    if picture.hasalpha():
        picture = picture.flatten(background=255)
    return picture.cast("uchar").numpy().astype(float)


def imagemagick(file: pathlib.Path) -> Pixels:
    with tempfile.TemporaryDirectory() as folder:
        profile, made = pathlib.Path(folder) / "srgb.icc", pathlib.Path(folder) / "made.ppm"
        profile.write_bytes(SRGB.tobytes())
        subprocess.run(
            ["convert", f"{file}[0]", "-auto-orient", "-intent", "relative", "-black-point-compensation", "-profile",
             profile, "-background", "white", "-flatten", "-depth", "8", made],
            check=True, capture_output=True, timeout=60)
        return numpy.asarray(Image.open(made).convert("RGB"), float)


def preview(file: pathlib.Path) -> Pixels:
    """The embedded JPEG of a raw photo with the most pixels, as ExifTool extracts it, turned as the raw photo says."""
    if file.read_bytes()[:2] == b"\xff\xd8":  # a JPEG under another name
        return pillow(file)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["exiftool", "-q", "-q", "-a", "-b", "-W", f"{folder}/%t%-c.jpg", "-preview:all", file], timeout=60)
        found = []
        for name in pathlib.Path(folder).iterdir():
            try:
                picture = Image.open(name, formats=["JPEG"])
                picture.load()
                found.append(picture)
            except OSError:
                pass  # a preview that is no JPEG, or a damaged one
    if not found:
        raise ValueError("no preview")
    largest = max(found, key=lambda picture: picture.width * picture.height)
    stated = subprocess.run(
        ["exiftool", "-n", "-s3", "-Orientation", file], capture_output=True, text=True, timeout=60).stdout.strip()
    info = largest.info
    if stated in map(str, TURNS):
        largest = largest.transpose(Image.Transpose[TURNS[int(stated)]])
    return in_srgb(largest, info)


# The decoders for each format, the most trusted first.
USUAL: dict[str, Callable[[pathlib.Path], Pixels]] = {"Pillow": pillow, "libvips": vips, "ImageMagick": imagemagick}
OF_RAW: dict[str, Callable[[pathlib.Path], Pixels]] = {"ExifTool and Pillow": preview}


def decoders(kind: str) -> dict[str, Callable[[pathlib.Path], Pixels]]:
    return OF_RAW if kind == "raw" else USUAL
