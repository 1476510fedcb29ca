import type { AccessKey } from '../api/objects.ts'
import { timeOf } from '../format/time.ts'
import { useNow } from '../format/use-now.ts'
import { countedWord } from '../format/words.ts'
import { Moment } from '../parts/moment.tsx'
import { Shown } from '../parts/shown.tsx'
import { type KeyHolders, useHolders } from './insight.ts'

/** The Secrets and virtual clusters that would notice if the key were deleted. */
export function BlastRadius({ accessKey }: { readonly accessKey: AccessKey }) {
  const nowMs = useNow()
  const holders = useHolders(accessKey)
  return (
    <section aria-label="Who still needs this key" className="grid gap-2 rounded-md border border-line p-3">
      <h3 className="font-semibold">Who still needs this key?</h3>
      <ul className="list-disc pl-5">
        <li>
          Last used <Moment ms={timeOf(accessKey.status?.lastActivity)} nowMs={nowMs} direction="ago" />
          {accessKey.status?.lastUsedFrom !== undefined && <> from {accessKey.status.lastUsedFrom}</>}
        </li>
      </ul>
      <Shown of={holders} empty="Nothing is known to hold it.">
        {(known) => (
          <ul className="list-disc pl-5">
            <Holders holders={known} nowMs={nowMs} />
          </ul>
        )}
      </Shown>
    </section>
  )
}

function Holders({ holders, nowMs }: { readonly holders: KeyHolders; readonly nowMs: number }) {
  const { secrets, hiddenSecrets, virtualClusters, complete } = holders
  return (
    <>
      {virtualClusters.length === 0 && <li>No virtual cluster has used it lately.</li>}
      {virtualClusters.map(({ project, name, linked, last }) => (
        <li key={`${project}/${name}`}>
          Virtual cluster <strong>{name}</strong> of project {project}, {linked ? 'linked with it, last heard of ' : ''}
          <Moment ms={timeOf(last)} nowMs={nowMs} direction="ago" />
        </li>
      ))}
      {!complete && <li>Others may have used it longer ago than is remembered.</li>}
      {secrets.length === 0 && hiddenSecrets === 0 && <li>No Secret is known to hold it.</li>}
      {secrets.map(({ cluster, namespace, name, entry, value = '' }) => (
        <li key={`${cluster}/${namespace}/${name}/${entry}`}>
          Secret{' '}
          <code>
            {namespace}/{name}
          </code>{' '}
          {cluster !== undefined && `of cluster ${cluster} `}
          holds its {value} value in <code>{entry}</code>
        </li>
      ))}
      {hiddenSecrets > 0 && <li>{countedWord(hiddenSecrets, 'Secret')} that you may not read</li>}
    </>
  )
}
