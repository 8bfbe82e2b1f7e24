/* Configurations: what a context is made from. */
#include <string.h>

#include "runtime/host/base/context.h"

int sn_config_create(sn_config **out)
{
  sni_accounts accounts;
  sn_config *config;

  if (!out)
    return SN_EINVAL;
  sni_accounts_init(&accounts);
  config = sni_new(&accounts, 1, sizeof *config);
  if (!config)
    return SN_ENOMEM;
  config->accounts = accounts;
  sni_options_init(&config->options);
  *out = config;
  return SN_OK;
}

void sn_config_destroy(sn_config *config)
{
  if (config) {
    sni_accounts accounts = config->accounts;
    sni_delete(&accounts, config, 1, sizeof *config);
  }
}

int sn_config_set(sn_config *config, const char *name, const char *value)
{
  if (!config)
    return SN_EINVAL;
  if (!name || !value) {
    strcpy(config->error, "sn_config_set: NULL");
    return SN_EINVAL;
  }
  return sni_options_set(&config->options, name, value, config->error, sizeof config->error);
}

const char *sn_config_error(const sn_config *config)
{
  return config ? config->error : "no configuration";
}

static int set_output(sni_output *output, sn_text_fn function, void *user)
{
  output->function = function;
  output->user = user;
  return SN_OK;
}

int sn_config_set_log(sn_config *config, sn_text_fn function, void *user)
{
  return config ? set_output(&config->log, function, user) : SN_EINVAL;
}

int sn_config_set_print(sn_config *config, sn_text_fn function, void *user)
{
  return config ? set_output(&config->print, function, user) : SN_EINVAL;
}
