import type { AccessKey } from '../../api/objects.ts'
import { timeOf } from '../../format/time.ts'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'

interface Rotation {
  readonly previousKeyId?: string
  readonly previousValidUntil?: string
  readonly previousUsers?: readonly {
    readonly from?: string
    readonly userAgent?: string
    readonly lastActivity?: string
  }[]
}

/** The clients that still use the previous value. Empty when no rotation is under way. */
export function RotationPanel({ accessKey, nowMs }: { readonly accessKey: AccessKey; readonly nowMs: number }) {
  const rotation: Rotation | undefined = accessKey.status?.rotation
  if (rotation === undefined) return null
  const { previousKeyId, previousValidUntil, previousUsers = [] } = rotation
  return (
    <div className="min-w-0 lg:col-span-2">
      <Panel title="Rotation under way">
        <p>
          The previous value (<code>{previousKeyId}</code>) ends{' '}
          <Moment ms={timeOf(previousValidUntil)} nowMs={nowMs} direction="until" />.
        </p>
        {previousUsers.length === 0 ? (
          <p className="mt-1 text-good">It has not been used since the rotation.</p>
        ) : (
          <>
            <p className="mt-1 text-warn">These still use it and must take the new value:</p>
            <ul className="mt-1 list-disc pl-5">
              {previousUsers.map(({ from = '', userAgent = '', lastActivity }) => (
                <li key={`${from} ${userAgent}`} className="break-words">
                  {from} · {userAgent || 'a program without a name'} ·{' '}
                  <Moment ms={timeOf(lastActivity)} nowMs={nowMs} direction="ago" />
                </li>
              ))}
            </ul>
          </>
        )}
      </Panel>
    </div>
  )
}
