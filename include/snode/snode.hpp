/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/snode.hpp: what the headers of snodegen --emit=hpp stand on: contexts, instances of trees,
 * views of arrays, errors.
 *
 * C++17.  A call that fails throws snode::error, with the code and the context's text.  With
 * SNODE_NO_EXCEPTIONS defined, in all files of the program alike, nothing throws: each call returns
 * a snode::result, whose code is SN_OK or one of snode/error.h, and objects come from create().
 */
#ifndef SNODE_SNODE_HPP
#define SNODE_SNODE_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifndef SNODE_NO_EXCEPTIONS
# include <stdexcept>
#endif

#include <snode/snode.h>

namespace snode {

/* ---- errors ---- */

#ifdef SNODE_NO_EXCEPTIONS

/* What a call returns: value holds only where code is SN_OK. */
template <class T> struct [[nodiscard]] result {
  int code;
  T value;
  explicit operator bool() const { return code == SN_OK; }
};
template <> struct [[nodiscard]] result<void> {
  int code;
  explicit operator bool() const { return code == SN_OK; }
};
template <class T> using returned = result<T>;

inline result<void> give(int code, sn_context *) { return { code }; }
template <class T> result<T> give(int code, sn_context *, T value)
{
  return { code, std::move(value) };
}
/* An array that the call cannot take. */
template <class T> result<T> refuse(const char *)
{
  result<T> made{};
  made.code = SN_EINVAL;
  return made;
}

#else

class error : public std::runtime_error {
public:
  error(int number, const std::string &text) : std::runtime_error(text), number_(number) {}
  int code() const noexcept { return number_; }

private:
  int number_;
};
template <class T> using returned = T;

/* Throws unless it is SN_OK, with the context's text, which is cleared. */
inline void give(int code, sn_context *context)
{
  if (code == SN_OK)
    return;
  std::string text = context ? sn_context_error(context) : "";
  if (text.empty())
    text = sn_strerror(code);
  sn_context_clear(context);
  throw error(code, text);
}
template <class T> T give(int code, sn_context *context, T value)
{
  give(code, context);
  return value;
}
/* An array that the call cannot take. */
template <class T> T refuse(const char *text) { throw error(SN_EINVAL, text); }

#endif

/* ---- contexts ---- */

/* Where trees live and kernels run; its trees end before it. */
class context {
public:
  using options = std::vector<std::pair<std::string, std::string>>;   /* {{"threads", "4"}} */

#ifndef SNODE_NO_EXCEPTIONS
  explicit context(const options &given = {}) : context(create(given)) {}
#endif
  context(context &&other) noexcept : c_(std::exchange(other.c_, nullptr)) {}
  context &operator=(context &&other) noexcept
  {
    std::swap(c_, other.c_);
    return *this;
  }
  ~context()
  {
    if (sn_context_destroy(c_) == SN_EIO)        /* a trace that could not be written: */
      (void)(sn_context_destroy(c_) == SN_OK);   /* the second call goes without it */
  }
  static returned<context> create(const options &given = {})
  {
    sn_config *config = nullptr;
    context made(nullptr);
    int code = sn_config_create(&config);
    for (const auto &one : given)
      if (code == SN_OK)
        code = sn_config_set(config, one.first.c_str(), one.second.c_str());
#ifndef SNODE_NO_EXCEPTIONS
    if (code != SN_OK && config) {
      const std::string text = sn_config_error(config);
      sn_config_destroy(config);
      throw error(code, text);
    }
#endif
    if (code == SN_OK)
      code = sn_context_create(config, &made.c_);
    sn_config_destroy(config);
    return give(code, nullptr, std::move(made));
  }
  sn_context *get() const noexcept { return c_; }
  /* The text of the first error since clear(), or what a call that succeeded had to tell. */
  std::string message() const { return sn_context_error(c_); }
  void clear() { sn_context_clear(c_); }
  void cancel() { sn_context_cancel(c_); }     // from any thread, and in a signal handler

private:
  explicit context(sn_context *c) : c_(c) {}
  sn_context *c_;
};

/* ---- instances of trees ---- */

/* What a class of a tree is made from: C is its type in C. */
template <class C> class instance {
public:
  instance(instance &&other) noexcept
      : c_(std::exchange(other.c_, nullptr)), context_(other.context_) {}
  C *get() const noexcept { return c_; }

protected:
  instance(C *c, sn_context *in) : c_(c), context_(in) {}
  ~instance() = default;
  void swap(instance &other) noexcept
  {
    std::swap(c_, other.c_);
    std::swap(context_, other.context_);
  }
  C *c_;
  sn_context *context_;
};

/* How one is created: 0 is as the context says (snode/tree.h). */
struct tree_options {
  std::uint64_t memory_limit = 0, reserve = 0;
  sn_tree_options c() const
  {
    sn_tree_options made = SN_TREE_OPTIONS_INIT;
    made.memory_limit = memory_limit;
    made.reserve = reserve;
    return made;
  }
};

/* ---- arrays ---- */

/* Memory of the caller as an array of N axes; strides count values.  Axes are as in C: of dense
 * memory the last one runs fastest. */
template <class T, std::size_t N> class view {
public:
  using shape = std::array<std::int64_t, N>;

  view(T *data, const shape &extents) : data_(data), extents_(extents), strides_(dense(extents)) {}
  view(T *data, const shape &extents, const shape &strides)
      : data_(data), extents_(extents), strides_(strides) {}
  /* Of const values too. */
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  view(const view<U, N> &other)
      : data_(other.data()), extents_(other.extents()), strides_(other.strides()) {}
  /* All of a vector or an array, of one axis. */
  template <class A, class = decltype(std::declval<A &>().data()),
            class = std::enable_if_t<N == 1 && sizeof(A) && !std::is_const_v<T>>>
  view(A &all) : view(all.data(), { static_cast<std::int64_t>(all.size()) }) {}
  template <class A, class = decltype(std::declval<const A &>().data()),
            class = std::enable_if_t<N == 1 && sizeof(A) && std::is_const_v<T>>>
  view(const A &all) : view(all.data(), { static_cast<std::int64_t>(all.size()) }) {}

  T *data() const { return data_; }
  const shape &extents() const { return extents_; }
  const shape &strides() const { return strides_; }
  bool is_dense() const { return strides_ == dense(extents_); }
  std::int64_t size() const
  {
    std::int64_t all = 1;
    for (std::int64_t extent : extents_)
      all *= extent;
    return all;
  }
  template <class... I> T &operator()(I... index) const
  {
    static_assert(sizeof...(I) == N, "an index for each axis");
    const shape at = { static_cast<std::int64_t>(index)... };
    std::int64_t where = 0;
    for (std::size_t k = 0; k < N; k++)
      where += at[k] * strides_[k];
    return data_[where];
  }
  /* The memory, and where the box ends that begins at lo. */
  sn_span span() const
  {
    std::int64_t last = 0;
    for (std::size_t k = 0; k < N; k++)
      last += (extents_[k] - 1) * strides_[k];
    return sn_span_host(data_, size() ? static_cast<std::size_t>(last + 1) * sizeof(T) : 0);
  }
  sn_box box(const shape &lo) const
  {
    sn_box made = {};
    for (std::size_t k = 0; k < N; k++) {
      made.lo[k] = lo[k];
      made.hi[k] = lo[k] + extents_[k];
    }
    return made;
  }

private:
  static shape dense(const shape &extents)
  {
    shape made{};
    std::int64_t below = 1;
    for (std::size_t k = N; k-- > 0; below *= extents[k])
      made[k] = below;
    return made;
  }
  T *data_;
  shape extents_, strides_;
};

/* Where the indices of a field begin and end. */
template <std::size_t N> struct range {
  std::array<std::int64_t, N> lo, hi;
};

/* Active cells: an index of a field and a value for each. */
template <class T, std::size_t N> struct cells {
  std::vector<std::array<std::int64_t, N>> index;
  std::vector<T> value;
};

} // namespace snode

#endif
