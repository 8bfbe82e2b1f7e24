;;; snode-mode.el --- editing snode's .sn files  -*- lexical-binding: t -*-

;; Made by editors/generate.pl from the compiler's tables: do not edit.

;; SPDX-License-Identifier: BSD-3-Clause
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; Highlighting, indentation and comments of .sn files; where Eglot is there,
;; `M-x eglot' runs `snodegen --lsp'.

;;; Code:

(defgroup snode nil "Editing .sn files." :group 'languages)

(defcustom snode-indent-offset 2 "Columns of a level." :type 'integer :group 'snode)

(defconst snode-declarations
  '(
    @lisp DECLARES@
    @lisp OTHERS@)
  "Words that begin a declaration, and those in them.")

(defconst snode-controls
  '(
    @lisp CONTROLS@)
  "Words of statements.")

(defconst snode-constants
  '(
    @lisp CONSTANTS@)
  "Words that are values.")

(defconst snode-words
  '(
    @lisp KINDS@
    @lisp WORDS@)
  "Kinds of SNodes, and words that mean something in their place.")

(defconst snode-attributes
  '(
    @lisp ATTRIBUTES@)
  "Attributes of loops.")

(defconst snode-builtins
  '(
    @lisp BUILTINS@)
  "Built-in functions.")

(defconst snode-type
  "\\_<\\(?:void\\|bool\\|[iu]\\(?:8\\|16\\|32\\|64\\)\\|f\\(?:16\\|32\\|64\\)\\)\\(?:x[0-9]+\\)\\{0,2\\}\\_>"
  "Scalars, vectors and matrices.")

(defvar snode-font-lock-keywords
  `((,(concat "\\[\\[[ \t]*\\(" (regexp-opt snode-attributes) "\\)\\_>")
     1 font-lock-preprocessor-face)
    (,(concat "\\(" (regexp-opt snode-builtins 'symbols) "\\)[ \t]*(")
     1 font-lock-builtin-face)
    ("\\_<\\(?:kernel\\|func\\)\\_>[^(<{;]*\\_<\\([A-Za-z_][A-Za-z0-9_]*\\)[ \t]*[(<]"
     1 font-lock-function-name-face)
    (,(regexp-opt snode-declarations 'symbols) . font-lock-keyword-face)
    (,(regexp-opt snode-controls 'symbols) . font-lock-keyword-face)
    (,(regexp-opt snode-constants 'symbols) . font-lock-constant-face)
    (,(regexp-opt snode-words 'symbols) . font-lock-builtin-face)
    (,snode-type . font-lock-type-face))
  "What is highlighted beside comments and strings.")

(defvar snode-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (dolist (c '(?+ ?- ?= ?% ?< ?> ?& ?| ?! ?~ ?^ ?@))
      (modify-syntax-entry c "." table))
    table)
  "Comments and strings are C's.")

(defun snode-indent-line ()
  "Indents a line by the brackets around it."
  (interactive)
  (let ((column
         (save-excursion
           (back-to-indentation)
           (let* ((state (syntax-ppss))
                  (closes (looking-at-p "[])}]")))
             (cond ((nth 3 state) nil)
                   ((nth 4 state) (current-indentation))
                   ((= (car state) 0) 0)
                   (t (goto-char (nth 1 state))
                      (if (and (not closes) (eq (char-after) ?\()
                               (not (looking-at-p "([ \t]*$")))
                          (1+ (current-column))
                        (back-to-indentation)
                        (+ (current-column) (if closes 0 snode-indent-offset)))))))))
    (when column
      (if (<= (current-column) (current-indentation))
          (indent-line-to column)
        (save-excursion (indent-line-to column))))))

;;;###autoload
(define-derived-mode snode-mode prog-mode "Snode"
  "Major mode for .sn files."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\)[ \t]*")
  (setq-local indent-line-function #'snode-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append "{}()" electric-indent-chars))
  (setq-local compile-command
              (when buffer-file-name
                (concat "snodegen " (shell-quote-argument (file-name-nondirectory buffer-file-name)))))
  (setq-local font-lock-defaults '(snode-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.sn\\'" . snode-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(snode-mode "snodegen" "--lsp")))

(provide 'snode-mode)
;;; snode-mode.el ends here
