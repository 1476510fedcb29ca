import { ApiProblem } from '../api/problem.ts'

/** The error in the words of the server that refused, with every cause. */
export function ProblemNote({ problem, title }: { readonly problem: unknown; readonly title?: string }) {
  const message = problemText(problem)
  const causes = problem instanceof ApiProblem ? problem.causes.filter(({ message: text }) => text !== message) : []
  return (
    <div role="alert" className="min-w-0 rounded-md border border-bad/30 bg-bad-soft px-3 py-2 text-bad">
      {title !== undefined && <p className="font-semibold">{title}</p>}
      <p className="break-words">{message}</p>
      {causes.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-sm">
          {causes.map(({ field = '', message: text = '', reason = '' }, index) => (
            <li key={index} className="break-words">
              {field !== '' && <code>{field}: </code>}
              {text || reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function problemText(problem: unknown): string {
  return problem instanceof Error ? problem.message : 'Something went wrong.'
}

export function WarningNote({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <ul role="status" className="grid gap-1 rounded-md border border-warn/30 bg-warn-soft px-3 py-2 text-warn">
      {texts.map((text) => (
        <li key={text} className="break-words">
          {text}
        </li>
      ))}
    </ul>
  )
}
