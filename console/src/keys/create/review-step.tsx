import type { AccessKey } from '../../api/objects.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Answered } from '../../api/request.ts'
import { useAsked } from '../../fetched/use-asked.ts'
import { exactTime, timeOf } from '../../format/time.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ProblemNote, WarningNote } from '../../parts/problem-note.tsx'
import { Failed, Loading } from '../../parts/shown.tsx'
import { useManagement } from '../../session/session-context.tsx'
import { printYaml } from '../../yaml/print.ts'
import { createKey } from '../key-requests.ts'

/** The object that will be sent, and the platform's verdict on it. */
export function ReviewStep({ object }: { readonly object: object }) {
  return (
    <div className="grid gap-3">
      <Verdict object={object} />
      <CodeBlock label="The key as YAML" text={printYaml(object)} />
    </div>
  )
}

function Verdict({ object }: { readonly object: object }) {
  const management = useManagement()
  const trial = useAsked({
    queryKey: ['try to create', object],
    queryFn: () => createKey(management, object, true),
    retry: false,
    gcTime: 0,
  })
  switch (trial.state) {
    case 'loading':
    case 'empty':
      return <Loading />
    case 'failed':
      return isRefusal(trial.failure.problem) ? (
        <ProblemNote title="The platform would refuse this key" problem={trial.failure.problem} />
      ) : (
        <Failed title="The platform did not say whether it would take this key" failure={trial.failure} />
      )
    case 'known':
      return <Taken answer={trial.value} />
  }
}

function Taken({ answer: { value, warnings } }: { readonly answer: Answered<AccessKey> }) {
  const endMs = timeOf(value.status?.expiresAt)
  return (
    <>
      <p>
        The platform would take it.{' '}
        {endMs === undefined ? 'The key would have no end.' : `The key would end on ${exactTime(endMs)}.`}
      </p>
      <WarningNote texts={warnings} />
    </>
  )
}

/** Whether this key was refused; a temporary failure is not a refusal. */
function isRefusal(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.code < 500 && problem.code !== 429
}
