#include "CCounters.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { capacity = 4096, maximum_head_length = 8192, delay_in_milliseconds = 2 };

/// The received part of a client's next request.
typedef struct {
    char bytes[maximum_head_length + 1];
    size_t length;
} Head;

/// A delayed response, with the time at which it is due, in milliseconds.
typedef struct {
    int client;
    long long due;
} DelayedResponse;

static DelayedResponse delayed[capacity];
static size_t delayed_count;

enum { products_per_page = 50 };

static char *product_response;
static size_t product_response_length;
static char *page_response;
static size_t page_response_length;
static const char not_modified[] = "HTTP/1.1 304 Not Modified\r\nETag: \"7\"\r\n\r\n";
static struct pollfd sockets[capacity];
static Head *heads[capacity];
static nfds_t socket_count;

static void prepare_product_response(const char *json) {
    const char *format = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "ETag: \"7\"\r\nContent-Length: %zu\r\n\r\n%s";
    size_t length = strlen(json);
    product_response_length = (size_t)snprintf(NULL, 0, format, length, json);
    product_response = malloc(product_response_length + 1);
    snprintf(product_response, product_response_length + 1, format, length, json);
}

static void prepare_page_response(const char *json) {
    const char *format = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "ETag: \"7\"\r\nContent-Length: %zu\r\n\r\n{\"items\": [";
    size_t length = strlen(json);
    size_t body_length = strlen("{\"items\": [") + products_per_page * (length + 1) + 1;
    page_response = malloc(body_length + 256);
    page_response_length = (size_t)sprintf(page_response, format, body_length);
    for (int index = 0; index < products_per_page; index += 1) {
        memcpy(page_response + page_response_length, json, length);
        page_response[page_response_length + length] = index + 1 < products_per_page ? ',' : ']';
        page_response_length += length + 1;
    }
    page_response[page_response_length++] = '}';
}

static int listen_on_any_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0) return -1;
    if (listen(listener, 1024) != 0) return -1;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return -1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static void accept_client(int listener) {
    int client = accept(listener, NULL, NULL);
    if (client < 0) return;
    if (socket_count == capacity) {
        close(client);
        return;
    }
    int yes = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    sockets[socket_count] = (struct pollfd){.fd = client, .events = POLLIN};
    heads[socket_count] = calloc(1, sizeof(Head));
    socket_count += 1;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/// Writes all bytes. Returns zero if the client has closed the connection.
static int write_all(int client, const char *bytes, size_t length) {
    for (size_t written = 0; written < length;) {
        ssize_t count = write(client, bytes + written, length - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        written += (size_t)count;
    }
    return 1;
}

static int send_product(int client) {
    return write_all(client, product_response, product_response_length);
}

/// Sends the delayed responses that are due. Returns the milliseconds until the next one, or -1.
static int send_due_responses(void) {
    size_t sent = 0;
    while (sent < delayed_count && delayed[sent].due <= now()) {
        if (delayed[sent].client >= 0) send_product(delayed[sent].client);
        sent += 1;
    }
    delayed_count -= sent;
    memmove(delayed, delayed + sent, delayed_count * sizeof *delayed);
    if (delayed_count == 0) return -1;
    long long remaining = delayed[0].due - now();
    return remaining > 0 ? (int)remaining : 0;
}

static void close_client(nfds_t index) {
    int client = sockets[index].fd;
    for (size_t number = 0; number < delayed_count; number += 1) {
        if (delayed[number].client == client) delayed[number].client = -1;
    }
    close(client);
    free(heads[index]);
    socket_count -= 1;
    sockets[index] = sockets[socket_count];
    heads[index] = heads[socket_count];
}

/// Reads from a client and responds to all complete requests. Returns zero to close the connection.
static int serve_client(nfds_t index) {
    int client = sockets[index].fd;
    Head *head = heads[index];
    ssize_t count = read(client, head->bytes + head->length, maximum_head_length - head->length);
    if (count <= 0) return 0;
    head->length += (size_t)count;
    head->bytes[head->length] = 0;
    for (char *end; (end = strstr(head->bytes, "\r\n\r\n")) != NULL;) {
        *end = 0;
        int never = strstr(head->bytes, "/never/") != NULL;
        if (strstr(head->bytes, "\r\nIf-None-Match: \"7\"") != NULL) {
            if (!write_all(client, not_modified, sizeof not_modified - 1)) return 0;
        } else if (strstr(head->bytes, "/late/") != NULL && delayed_count < capacity) {
            long long due = now() + delay_in_milliseconds;
            delayed[delayed_count++] = (DelayedResponse){.client = client, .due = due};
        } else if (strstr(head->bytes, "/products HTTP") != NULL) {
            if (!write_all(client, page_response, page_response_length)) return 0;
        } else if (!never && !send_product(client)) {
            return 0;
        }
        head->length -= (size_t)(end + 4 - head->bytes);
        memmove(head->bytes, end + 4, head->length + 1);
    }
    return head->length < maximum_head_length;
}

int serve_loopback(const char *json) {
    signal(SIGPIPE, SIG_IGN);
    prepare_product_response(json);
    prepare_page_response(json);
    int listener = listen_on_any_port();
    if (listener < 0) return 1;
    sockets[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    sockets[1] = (struct pollfd){.fd = listener, .events = POLLIN};
    socket_count = 2;
    for (;;) {
        int ready = poll(sockets, socket_count, send_due_responses());
        if (ready < 0 && errno != EINTR) return 1;
        if (ready <= 0) continue;
        if (sockets[0].revents != 0) return 0;
        if (sockets[1].revents != 0) accept_client(listener);
        for (nfds_t index = socket_count; index-- > 2;) {
            if (sockets[index].revents != 0 && !serve_client(index)) close_client(index);
        }
    }
}
