import { Badge } from '../../parts/badge.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { printYaml } from '../../yaml/print.ts'

interface Finding {
  readonly layer: string
  readonly allows: boolean
  readonly sentence: string
  readonly change?: { readonly sentence: string; readonly scope?: unknown; readonly rule?: unknown }
}

export interface Explanation {
  readonly allowed: boolean
  readonly summary: string
  readonly findings: readonly Finding[]
}

export function Findings({ explanation }: { readonly explanation: Explanation }) {
  const { allowed, summary, findings } = explanation
  return (
    <div className="grid min-w-0 gap-3" aria-live="polite">
      <p className="flex flex-wrap items-center gap-2 text-base font-medium">
        <Badge mood={allowed ? 'good' : 'bad'}>{allowed ? 'Allowed' : 'Refused'}</Badge>
        <span className="min-w-0 break-words">{summary}</span>
      </p>
      <ol className="grid gap-2">
        {findings.map(({ layer, allows, sentence, change }) => (
          <li key={layer} className="grid gap-1 rounded-md border border-line p-3">
            <p className="flex flex-wrap items-center gap-2">
              <Badge mood={allows ? 'good' : 'bad'}>{allows ? 'lets it pass' : 'refuses it'}</Badge>
              <strong>{layer}</strong>
            </p>
            <p className="break-words">{sentence}</p>
            {change !== undefined && (
              <div className="grid gap-2">
                <p className="break-words text-accent">{change.sentence}</p>
                {change.scope !== undefined && (
                  <CodeBlock label="Add to the scope" text={printYaml({ scope: change.scope })} />
                )}
                {change.rule !== undefined && (
                  <CodeBlock label="Rule for a role" text={printYaml({ rules: [change.rule] })} />
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
