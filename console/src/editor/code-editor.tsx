import { autocompletion, type CompletionSource } from '@codemirror/autocomplete'
import { javascript } from '@codemirror/lang-javascript'
import { yaml } from '@codemirror/lang-yaml'
import { syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, placeholder as placeholderText } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { minimalSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { unseenCharacters } from '../../../src/base/unseen.ts'
import { styleNonce } from '../parts/style-nonce.ts'
import { editorTheme } from './editor-theme.ts'

export type CheckText = (text: string) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>

export interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly language: 'yaml' | 'javascript' | 'text'
  readonly onChange?: ((text: string) => void) | undefined
  readonly check?: CheckText | undefined
  readonly complete?: CompletionSource | undefined
  readonly placeholder?: string | undefined
  readonly describedBy?: string | undefined
}

const checkDelayMs = 300

/** A text editor, loaded when the first one is shown. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, label, language, onChange, check, complete, placeholder } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onChange, check, complete })
  latest.current = { onChange, check, complete }

  // The text is set below, and callbacks are read when they are called
  useEffect(() => {
    if (place.current === null) return
    const extensions: Extension[] = [
      EditorView.cspNonce.of(styleNonce()),
      minimalSetup,
      highlightSpecialChars({ addSpecialChars: unseenCharacters }),
      syntaxHighlighting(classHighlighter),
      editorTheme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      ...languageOf(language),
      ...(placeholder === undefined ? [] : [placeholderText(placeholder)]),
      ...(onChange === undefined ? [EditorState.readOnly.of(true)] : []),
      ...(check === undefined ? [] : [lintGutter(), checking(() => latest.current.check)]),
      autocompletion({ override: [(context) => latest.current.complete?.(context) ?? null] }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
      }),
    ]
    const editor = new EditorView({ parent: place.current, state: EditorState.create({ doc: value, extensions }) })
    view.current = editor
    return () => editor.destroy()
  }, [label, language, onChange === undefined, check === undefined])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  return <div ref={place} className="min-w-0 overflow-hidden rounded-md border border-line-strong bg-surface" />
}

function languageOf(language: CodeEditorProps['language']): readonly Extension[] {
  switch (language) {
    case 'yaml':
      return [yaml()]
    case 'javascript':
      return [javascript()]
    case 'text':
      return []
  }
}

function checking(current: () => CheckText | undefined): Extension {
  return linter(async (editor) => [...((await current()?.(editor.state.doc.toString())) ?? [])], {
    delay: checkDelayMs,
  })
}
