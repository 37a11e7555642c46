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

enum { capacity = 4096, longest_head = 8192, lateness = 2 };

/// The part of the next request that a client has sent.
typedef struct {
    char bytes[longest_head + 1];
    size_t length;
} Head;

/// A delayed response, with its time in milliseconds.
typedef struct {
    int client;
    long long due;
} Late;

static Late late[capacity];
static size_t late_count;

enum { products_of_a_page = 50 };

static char *answer;
static size_t answer_length;
static char *page;
static size_t page_length;
static const char not_modified[] = "HTTP/1.1 304 Not Modified\r\nETag: \"7\"\r\n\r\n";
static struct pollfd sockets[capacity];
static Head *heads[capacity];
static nfds_t used;

static void prepare_answer(const char *json) {
    const char *format = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "ETag: \"7\"\r\nContent-Length: %zu\r\n\r\n%s";
    size_t length = strlen(json);
    answer_length = (size_t)snprintf(NULL, 0, format, length, json);
    answer = malloc(answer_length + 1);
    snprintf(answer, answer_length + 1, format, length, json);
}

static void prepare_page(const char *json) {
    const char *format = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "ETag: \"7\"\r\nContent-Length: %zu\r\n\r\n{\"items\": [";
    size_t length = strlen(json);
    size_t body_length = strlen("{\"items\": [") + products_of_a_page * (length + 1) + 1;
    page = malloc(body_length + 256);
    page_length = (size_t)sprintf(page, format, body_length);
    for (int index = 0; index < products_of_a_page; index += 1) {
        memcpy(page + page_length, json, length);
        page[page_length + length] = index + 1 < products_of_a_page ? ',' : ']';
        page_length += length + 1;
    }
    page[page_length++] = '}';
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

static void admit(int listener) {
    int client = accept(listener, NULL, NULL);
    if (client < 0) return;
    if (used == capacity) {
        close(client);
        return;
    }
    int yes = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    sockets[used] = (struct pollfd){.fd = client, .events = POLLIN};
    heads[used] = calloc(1, sizeof(Head));
    used += 1;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/// Returns zero when the client is gone.
static int give(int client, const char *bytes, size_t length) {
    for (size_t written = 0; written < length;) {
        ssize_t count = write(client, bytes + written, length - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        written += (size_t)count;
    }
    return 1;
}

static int give_answer(int client) {
    return give(client, answer, answer_length);
}

/// Gives the late answers that are due; returns the milliseconds until the next one, -1 for none.
static int give_late_answers(void) {
    size_t given = 0;
    while (given < late_count && late[given].due <= now()) {
        if (late[given].client >= 0) give_answer(late[given].client);
        given += 1;
    }
    late_count -= given;
    memmove(late, late + given, late_count * sizeof *late);
    return late_count == 0 ? -1 : (int)(late[0].due - now() > 0 ? late[0].due - now() : 0);
}

static void dismiss(nfds_t place) {
    for (size_t index = 0; index < late_count; index += 1) {
        if (late[index].client == sockets[place].fd) late[index].client = -1;
    }
    close(sockets[place].fd);
    free(heads[place]);
    used -= 1;
    sockets[place] = sockets[used];
    heads[place] = heads[used];
}

/// Reads what has come and answers the requests in it; returns zero when the client is to go.
static int attend(nfds_t place) {
    Head *head = heads[place];
    ssize_t count = read(sockets[place].fd, head->bytes + head->length, longest_head - head->length);
    if (count <= 0) return 0;
    head->length += (size_t)count;
    head->bytes[head->length] = 0;
    for (char *end; (end = strstr(head->bytes, "\r\n\r\n")) != NULL;) {
        *end = 0;
        int never = strstr(head->bytes, "/never/") != NULL;
        if (strstr(head->bytes, "\r\nIf-None-Match: \"7\"") != NULL) {
            if (!give(sockets[place].fd, not_modified, sizeof not_modified - 1)) return 0;
        } else if (strstr(head->bytes, "/late/") != NULL && late_count < capacity) {
            late[late_count++] = (Late){.client = sockets[place].fd, .due = now() + lateness};
        } else if (strstr(head->bytes, "/products HTTP") != NULL) {
            if (!give(sockets[place].fd, page, page_length)) return 0;
        } else if (!never && !give_answer(sockets[place].fd)) {
            return 0;
        }
        head->length -= (size_t)(end + 4 - head->bytes);
        memmove(head->bytes, end + 4, head->length + 1);
    }
    return head->length < longest_head;
}

int serve_loopback(const char *json) {
    signal(SIGPIPE, SIG_IGN);
    prepare_answer(json);
    prepare_page(json);
    int listener = listen_on_any_port();
    if (listener < 0) return 1;
    sockets[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    sockets[1] = (struct pollfd){.fd = listener, .events = POLLIN};
    used = 2;
    for (;;) {
        int ready = poll(sockets, used, give_late_answers());
        if (ready < 0 && errno != EINTR) return 1;
        if (ready <= 0) continue;
        if (sockets[0].revents != 0) return 0;
        if (sockets[1].revents != 0) admit(listener);
        for (nfds_t place = used; place-- > 2;) {
            if (sockets[place].revents != 0 && !attend(place)) dismiss(place);
        }
    }
}
