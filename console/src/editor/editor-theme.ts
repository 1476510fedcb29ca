import { EditorView } from '@codemirror/view'

/** The colors of the console, which follow the theme automatically. */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--font-mono)', padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-scroller': { maxHeight: '60vh', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line-strong)', color: 'var(--text)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-diagnostic': { padding: '4px 10px' },
  '.tok-propertyName, .tok-definition': { color: 'var(--accent)' },
  '.tok-string, .tok-string2': { color: 'var(--good)' },
  '.tok-number, .tok-bool, .tok-atom': { color: 'var(--warn)' },
  '.tok-keyword': { color: 'var(--bad)' },
  '.tok-comment, .tok-meta': { color: 'var(--muted)' },
})
