import { usePart } from '../fetched/use-part.ts'
import { Failed } from '../parts/shown.tsx'
import type { CodeEditorProps } from './code-editor.tsx'

/** An editor; as long as it is not loaded, the text itself. */
export function Editor(props: CodeEditorProps) {
  const editor = usePart('editor', () => import('./code-editor.tsx'))
  if (editor.state === 'known') {
    const { CodeEditor } = editor.value
    return <CodeEditor {...props} />
  }
  return (
    <div className="grid min-w-0 gap-2">
      <pre className="overflow-hidden rounded-md border border-line-strong p-3 text-muted">{props.value || ' '}</pre>
      {editor.state === 'failed' && <Failed failure={editor.failure} />}
    </div>
  )
}
