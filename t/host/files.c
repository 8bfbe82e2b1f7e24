/* Where a tree is saved to and loaded from: permissions, links, names, pipes. */
#ifndef _POSIX_C_SOURCE
# define _POSIX_C_SOURCE 200809L                /* mkfifo, sigpending */
#endif
#include "t/host/folder.h"
#include "t/host/module.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

static sn_context *context;

static int save(sn_tree *grid, const char *path) { return sn_tree_save(grid, &grid_info, path); }
static int load(sn_tree *grid, const char *path) { return sn_tree_load(grid, &grid_info, path); }

static sn_tree *new_tree(float level)
{
  sn_tree *grid = NULL;

  if (new_grid(context, 2, &grid) != SN_OK ||
      sn_field_set(grid, &grid_info, GRID_LEVEL, NULL, &level) != SN_OK)
    bail(sn_context_error(context));
  return grid;
}

static float level_of(sn_tree *grid)
{
  float level = 0;

  if (sn_field_get(grid, &grid_info, GRID_LEVEL, NULL, &level) != SN_OK)
    bail(sn_context_error(context));
  return level;
}

static void fails(int code, const char *part)
{
  is_int(code, SN_EIO, "refused: %s", part);
  if (!ok(strstr(sn_context_error(context), part) != NULL, "the reason"))
    diag("said: %s", sn_context_error(context));
  sn_context_clear(context);
}

/* The file at the path holds this tree. */
static void holds(const char *path, float level, const char *what)
{
  sn_tree *grid = new_tree(-1);

  is_int(load(grid, path), SN_OK, "%s is loaded", what);
  is_double(level_of(grid), level, "and holds the tree");
  sn_tree_destroy(grid);
}

static int mode_of(const char *path)
{
  struct stat status;

  return stat(path, &status) == 0 ? (int)(status.st_mode & 0777) : -1;
}

static int is_link(const char *path)
{
  struct stat status;

  return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* ---- permissions ---- */

static void test_permissions(void)
{
  static const mode_t masks[] = { 022, 077, 0 };
  static const mode_t modes[] = { 0666, 0640, 0600, 0444, 0777 };
  sn_tree *grid = new_tree(1);
  const char *path = path_of("tree");
  const mode_t before = umask(027);

  is_int(save(grid, path), SN_OK, "a new file");
  is_int(mode_of(path), 0640, "is as the umask says");
  for (int m = 0; m < (int)(sizeof masks / sizeof *masks); m++)
    for (int k = 0; k < (int)(sizeof modes / sizeof *modes); k++) {
      umask(masks[m]);
      if (chmod(path, modes[k]) != 0) bail("no chmod");
      is_int(save(grid, path), SN_OK, "over a file of mode %o under %o", (unsigned)modes[k],
             (unsigned)masks[m]);
      is_int(mode_of(path), modes[k], "which is kept");
    }
  umask(before);
  if (getuid() == 0) {
    struct stat status;
    if (chown(path, 12, 34) != 0) bail("no chown");
    is_int(save(grid, path), SN_OK, "over somebody's file");
    ok(stat(path, &status) == 0 && status.st_uid == 12 && status.st_gid == 34,
       "which stays theirs");
  } else {
    skip(2, "only root may give files away");
  }
  is_int(files_in_folder(), 1, "nothing is left beside");
  (void)unlink(path);
  sn_tree_destroy(grid);
}

/* ---- links ---- */

static void test_links(void)
{
  sn_tree *grid = new_tree(2);

  if (mkdir(path_of("sub"), 0700) != 0 || symlink("tree", path_of("link")) != 0 ||
      symlink("../link", path_of("sub/second")) != 0 ||
      symlink(path_of("tree"), path_of("far")) != 0 || symlink("loop", path_of("loop")) != 0 ||
      symlink("none/tree", path_of("lost")) != 0)
    bail("no links");
  is_int(save(grid, path_of("link")), SN_OK, "through a link to nothing yet");
  ok(is_link(path_of("link")), "the link is still one");
  holds(path_of("tree"), 2, "the file that it leads to");
  if (unlink(path_of("tree")) != 0) bail("no file");
  is_int(save(grid, path_of("sub/second")), SN_OK, "through two");
  ok(is_link(path_of("sub/second")) && is_link(path_of("link")), "which are still links");
  holds(path_of("tree"), 2, "the file that they lead to");
  sn_tree_destroy(grid);
  grid = new_tree(3);
  is_int(save(grid, path_of("far")), SN_OK, "through a link to a whole path, to a file");
  ok(is_link(path_of("far")), "the link is still one");
  holds(path_of("tree"), 3, "the file");
  fails(save(grid, path_of("loop")), strerror(ELOOP));
  fails(save(grid, path_of("lost")), strerror(ENOENT));
  fails(save(grid, path_of("sub/")), strerror(EISDIR));
  is_int(files_in_folder(), 6, "nothing is left beside");
  (void)unlink(path_of("sub/second"));
  (void)rmdir(path_of("sub"));
  (void)unlink(path_of("link"));
  (void)unlink(path_of("far"));
  (void)unlink(path_of("loop"));
  (void)unlink(path_of("lost"));
  (void)unlink(path_of("tree"));
  sn_tree_destroy(grid);
}

/* ---- names ---- */

/* Of two bytes a character, so that a cut can meet one in the middle. */
static void test_names(void)
{
  char name[260] = "a";
  sn_tree *grid = new_tree(4);

  for (int k = 1; k + 1 < 256; k += 2) memcpy(name + k, "\xc3\xa9", 3);
  name[255] = 0;
  is_int(save(grid, path_of(name)), SN_OK, "a name of 255 bytes");
  is_int(save(grid, path_of(name)), SN_OK, "again");
  holds(path_of(name), 4, "the file");
  is_int(files_in_folder(), 1, "nothing is left beside");
  (void)unlink(path_of(name));
  memset(name, 'b', 244);
  name[244] = 0;
  is_int(save(grid, path_of(name)), SN_OK, "a name of 244 bytes");
  (void)unlink(path_of(name));
  memset(name, 'c', 256);
  name[256] = 0;
  fails(save(grid, path_of(name)), strerror(ENAMETOOLONG));
  is_int(files_in_folder(), 0, "nothing is left");
  sn_tree_destroy(grid);
}

/* ---- what can be read once only ---- */

static void test_unseekable(void)
{
  sn_tree *grid = new_tree(5);
  char device[64], byte;
  int ends[2];

  if (mkfifo(path_of("pipe"), 0600) != 0 || pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
    bail("no pipes");
  fails(load(grid, path_of("pipe")), "can be read only once");
  is_double(level_of(grid), 5, "the tree is as it was");
  snprintf(device, sizeof device, "/dev/fd/%d", ends[0]);
  fails(load(grid, device), "can be read only once");
  is_double(level_of(grid), 5, "the tree is as it was");
  ok(read(ends[0], &byte, 1) == 1 && byte == 'x', "nothing was taken from the pipe");
  close(ends[0]);
  close(ends[1]);
  (void)unlink(path_of("pipe"));
  sn_tree_destroy(grid);
}

/* ---- pipes ---- */

static void *read_all(void *user)
{
  FILE *from = fopen(path_of("pipe"), "rb"), *to = fopen(user, "wb");
  int c;

  if (!from || !to) bail("no pipe");
  while ((c = getc(from)) != EOF) putc(c, to);
  fclose(from);
  fclose(to);
  return NULL;
}

static int is_pending(void)
{
  sigset_t pending;

  return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

static int is_blocked(void)
{
  sigset_t now;

  return pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGPIPE) == 1;
}

static void test_pipes(void)
{
  sn_tree *grid = new_tree(6);
  char device[64], *tree = NULL;
  sigset_t pipe_only;
  pthread_t reader;
  int ends[2];

  if (mkfifo(path_of("pipe"), 0600) != 0 || (tree = strdup(path_of("tree"))) == NULL)
    bail("no pipe");
  if (pthread_create(&reader, NULL, read_all, tree) != 0) bail("no reader");
  is_int(save(grid, path_of("pipe")), SN_OK, "to a pipe that is read");
  pthread_join(reader, NULL);
  holds(tree, 6, "what came out");
  if (pipe(ends) != 0) bail("no pipe");
  close(ends[0]);
  snprintf(device, sizeof device, "/dev/fd/%d", ends[1]);
  fails(save(grid, device), strerror(EPIPE));
  ok(!is_pending() && !is_blocked(), "SIGPIPE is as it was: neither waiting nor kept back");
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_only, NULL);
  fails(save(grid, device), strerror(EPIPE));
  ok(!is_pending() && is_blocked(), "the same where it was kept back");
  raise(SIGPIPE);
  fails(save(grid, device), strerror(EPIPE));
  ok(is_pending(), "one that was waiting waits on");
  close(ends[1]);
  signal(SIGPIPE, SIG_IGN);                      /* which takes it away */
  (void)unlink(tree);
  (void)unlink(path_of("pipe"));
  free(tree);
  sn_tree_destroy(grid);
}

int main(void)
{
  make_folder();
  if (sn_context_create(NULL, &context) != SN_OK) bail("no context");
  test_permissions();
  test_links();
  test_names();
  test_unseekable();
  test_pipes();
  is_int(rmdir(folder), 0, "nothing is left behind");
  is_int(sn_context_destroy(context), SN_OK, "nothing leaks");
  return done_testing();
}
