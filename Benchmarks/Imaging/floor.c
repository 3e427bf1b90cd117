// SPDX-License-Identifier: MIT

// Measures a lower bound on the cost of thumbnails with these libraries. libjpeg-turbo decodes a JPEG at the DCT scale
// that Sluice's mode `good` uses; pixels are sampled without a filter, and the result is encoded at quality 80. For a
// PNG, libpng only decodes the rows. Nothing is validated, rotated or colour-converted.
//
// Usage: imaging-floor SIDE[,SIDE...] <LIST     (one file per line; two threads)

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jpeglib.h>
#include <png.h>

enum { max_sizes = 8, threads = 2 };

static int sides[max_sizes], sizes;
static char **files;
static size_t file_count;
static atomic_size_t next_file, written;

typedef struct {
    int width, height, row;
    /// The offsets in a row of the sampled pixels.
    int *columns;
    unsigned char *pixels;
} thumbnail;

static thumbnail plan(int width, int height, int side) {
    int longest = width > height ? width : height;
    double scale = longest > side ? (double)side / longest : 1;
    thumbnail plan = {.width = (int)(width * scale + 0.5), .height = (int)(height * scale + 0.5)};
    plan.columns = malloc((size_t)plan.width * sizeof *plan.columns);
    plan.pixels = malloc((size_t)plan.width * (size_t)plan.height * 3);
    return plan;
}

static void start(thumbnail *plan, int width) {
    for (int x = 0; x < plan->width; x++) plan->columns[x] = (2 * x + 1) * width / (2 * plan->width) * 3;
}

/// Samples the source pixels at the centres of the thumbnail's pixels, if its next row lies in this source row.
static void sample(thumbnail *to, const unsigned char *row, int number, int height) {
    while (to->row < to->height && (2 * to->row + 1) * height / (2 * to->height) <= number) {
        unsigned char *out = to->pixels + (size_t)to->row * (size_t)to->width * 3;
        for (int x = 0; x < to->width; x++) memcpy(out + x * 3, row + to->columns[x], 3);
        to->row++;
    }
}

static size_t encode(const thumbnail *from) {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    unsigned char *out = NULL;
    unsigned long count = 0;
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, &out, &count);
    codec.image_width = (JDIMENSION)from->width;
    codec.image_height = (JDIMENSION)from->height;
    codec.input_components = 3;
    codec.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, 80, TRUE);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = from->pixels + (size_t)codec.next_scanline * (size_t)from->width * 3;
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    free(out);
    return count;
}

/// Returns the smallest of libjpeg-turbo's fast scales that is at least twice the size of the largest thumbnail.
static unsigned eighths(int width, int height, const thumbnail *largest) {
    for (unsigned eighths = 1; eighths < 8; eighths *= 2) {
        if (width * (int)eighths >= largest->width * 16 && height * (int)eighths >= largest->height * 16) return eighths;
    }
    return 8;
}

/// Reads a whole file, because libjpeg-turbo's Huffman decoder is slower on the small blocks that it reads itself.
static unsigned char *read_file(FILE *file, size_t *count) {
    struct stat status;
    if (fstat(fileno(file), &status) != 0) exit(1);
    *count = (size_t)status.st_size;
    unsigned char *bytes = malloc(*count);
    if (read(fileno(file), bytes, *count) != (ssize_t)*count) exit(1);
    return bytes;
}

static size_t run_jpeg(FILE *file) {
    size_t count;
    unsigned char *input = read_file(file, &count);
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    codec.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, input, count);
    jpeg_read_header(&codec, TRUE);
    thumbnail thumbnails[max_sizes];
    int largest = 0;
    for (int i = 0; i < sizes; i++) {
        thumbnails[i] = plan((int)codec.image_width, (int)codec.image_height, sides[i]);
        if (sides[i] > sides[largest]) largest = i;
    }
    codec.scale_num = eighths((int)codec.image_width, (int)codec.image_height, &thumbnails[largest]);
    codec.scale_denom = 8;
    codec.out_color_space = JCS_RGB;
    jpeg_start_decompress(&codec);
    for (int i = 0; i < sizes; i++) start(&thumbnails[i], (int)codec.output_width);
    unsigned char *row = malloc(codec.output_width * 3);
    while (codec.output_scanline < codec.output_height) {
        int number = (int)codec.output_scanline;
        jpeg_read_scanlines(&codec, &row, 1);
        for (int i = 0; i < sizes; i++) sample(&thumbnails[i], row, number, (int)codec.output_height);
    }
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    free(row);
    free(input);
    size_t bytes = 0;
    for (int i = 0; i < sizes; i++) {
        bytes += encode(&thumbnails[i]);
        free(thumbnails[i].columns);
        free(thumbnails[i].pixels);
    }
    return bytes;
}

static void run_png(FILE *file) {
    png_structp codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(codec);
    if (setjmp(png_jmpbuf(codec))) exit(1);
    png_init_io(codec, file);
    png_read_info(codec, info);
    png_bytep row = malloc(png_get_rowbytes(codec, info));
    for (png_uint_32 number = 0; number < png_get_image_height(codec, info); number++) png_read_row(codec, row, NULL);
    png_read_end(codec, NULL);
    png_destroy_read_struct(&codec, &info, NULL);
    free(row);
}

static void *work(void *unused) {
    size_t index;
    while ((index = atomic_fetch_add(&next_file, 1)) < file_count) {
        FILE *file = fopen(files[index], "rb");
        if (!file) exit(1);
        if (strstr(files[index], ".png")) {
            run_png(file);
        } else {
            atomic_fetch_add(&written, run_jpeg(file));
        }
        fclose(file);
    }
    return unused;
}

static void read_list(void) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t count;
    while ((count = getline(&line, &capacity, stdin)) > 0) {
        line[count - 1] = 0;
        files = realloc(files, (file_count + 1) * sizeof *files);
        files[file_count++] = strdup(line);
    }
    free(line);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    for (char *side = strtok(arguments[1], ","); side && sizes < max_sizes; side = strtok(NULL, ",")) {
        sides[sizes++] = atoi(side);
    }
    read_list();
    double start = seconds();
    pthread_t workers[threads];
    for (int i = 0; i < threads; i++) pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++) pthread_join(workers[i], NULL);
    double wall = seconds() - start;
    double cpu = (double)clock() / CLOCKS_PER_SEC;
    printf("{\"seconds\": %.6f, \"cpu\": %.6f, \"files\": %zu, \"bytes\": %zu}\n", wall, cpu, file_count, written);
    return 0;
}
