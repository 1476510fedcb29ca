import { useQuery } from '@tanstack/react-query'
import { exactTime, timeOf } from '../../format/time.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { ProblemNote, WarningNote } from '../../parts/problem-note.tsx'
import { useManagement } from '../../session/session-context.tsx'
import { printYaml } from '../../yaml/print.ts'
import { createKey } from '../key-requests.ts'

/** The very object that will be sent, and what the platform says to it. */
export function ReviewStep({ object }: { readonly object: object }) {
  const management = useManagement()
  const { data, error } = useQuery({
    queryKey: ['try to create', object],
    queryFn: () => createKey(management, object, true),
    retry: false,
    gcTime: 0,
  })
  const endMs = timeOf(data?.value.status?.expiresAt)
  return (
    <div className="grid gap-3">
      {error !== null && <ProblemNote title="The platform would refuse this key" problem={error} />}
      {data !== undefined && (
        <p>
          The platform would take it.{' '}
          {endMs === undefined ? 'The key would have no end.' : `The key would end on ${exactTime(endMs)}.`}
        </p>
      )}
      <WarningNote texts={data?.warnings ?? []} />
      <CodeBlock label="The key as YAML" text={printYaml(object)} />
    </div>
  )
}
