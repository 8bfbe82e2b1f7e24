-- nvim --headless -u NONE -c 'luafile neovim.lua': Neovim's own client with snodegen --lsp.
-- SNODEGEN: the command; FILE: what is opened; TOLD: where the results go.
local told = io.open(os.getenv('TOLD'), 'w')
local function tell(...) told:write(table.concat({...}, ' '), '\n') end

local function talk()
  vim.cmd('edit ' .. vim.fn.fnameescape(os.getenv('FILE')))
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({ name = 'snodegen', cmd = { os.getenv('SNODEGEN'), '--lsp' } })
  vim.lsp.buf_attach_client(buffer, client)
  vim.wait(10000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    tell('diagnostic', d.lnum, d.col, d.severity, d.message)
  end
  local function ask(method, line, column)
    local answers = vim.lsp.buf_request_sync(buffer, 'textDocument/' .. method, {
      textDocument = { uri = vim.uri_from_bufnr(buffer) },
      position = { line = line, character = column } }, 10000)
    return answers[client].result
  end
  local place = ask('definition', 2, 29)
  tell('definition', place.range.start.line, place.range.start.character)
  tell('hover', (ask('hover', 2, 29).contents.value:gsub('\n', ' ')))
  for _, item in ipairs(ask('completion', 2, 29)) do
    if item.label == 'height' then tell('completion', item.detail) end
  end
  -- an edit, as a person makes it
  vim.api.nvim_buf_set_text(buffer, 2, 38, 2, 44, { '1' })
  tell('mended', tostring(vim.wait(10000, function() return #vim.diagnostic.get(buffer) == 0 end, 50)))
  vim.lsp.stop_client(client)
  tell('stopped', tostring(vim.wait(10000, function() return vim.lsp.client_is_stopped(client) end, 50)))
end

local good, why = pcall(talk)
if not good then tell('failed', why) end
told:close()
vim.cmd('qall!')
