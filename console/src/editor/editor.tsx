import { lazy, Suspense } from 'react'
import type { CodeEditorProps } from './code-editor.tsx'

const CodeEditor = lazy(() => import('./code-editor.tsx'))

/** An editor; until it is loaded, the text itself. */
export function Editor(props: CodeEditorProps) {
  return (
    <Suspense
      fallback={
        <pre className="overflow-hidden rounded-md border border-line-strong p-3 text-muted">{props.value || ' '}</pre>
      }
    >
      <CodeEditor {...props} />
    </Suspense>
  )
}
