import type { CompletionSource } from '@codemirror/autocomplete'
import { useId } from 'react'
import { Editor } from '../editor/editor.tsx'
import type { QuestionProblem } from './evaluation.ts'

interface ExpressionEditorProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly placeholder: string
  readonly problem: QuestionProblem | undefined
  readonly onChange: (text: string) => void
}

const words = [
  ['value', 'What stands at the path'],
  ['context.path', 'The path of this match'],
  ['context.virtualObject', 'The object in the virtual cluster, or null'],
  ['context.hostObject', 'The object on the host, or null'],
  ['context.vcluster.name', 'The name of the virtual cluster'],
  ['context.vcluster.namespace', 'Its namespace on the host'],
  ['context.vcluster.config', 'Its configuration, merged with defaults'],
  ['atob(value)', 'Decodes base64'],
  ['btoa(value)', 'Encodes as base64'],
  ['virtualToHostDNS(value)', 'The address of a virtual service on the host'],
] as const

const complete: CompletionSource = (context) => {
  const word = context.matchBefore(/[\w.]+/)
  if (word === null && !context.explicit) return null
  return { from: word?.from ?? context.pos, options: words.map(([label, info]) => ({ label, info })) }
}

export function ExpressionEditor({ label, hint, value, placeholder, problem, onChange }: ExpressionEditorProps) {
  const id = useId()
  return (
    <div className="grid min-w-0 gap-1">
      <span className="font-medium">{label}</span>
      <Editor
        label={label}
        language="javascript"
        value={value}
        placeholder={placeholder}
        complete={complete}
        onChange={onChange}
      />
      <p id={id} className={problem === undefined ? 'text-xs text-muted' : 'text-xs text-bad'} aria-live="polite">
        {problem === undefined
          ? hint
          : `${problem.message}${problem.offset === undefined ? '' : ` (at character ${problem.offset + 1})`}`}
      </p>
    </div>
  )
}
