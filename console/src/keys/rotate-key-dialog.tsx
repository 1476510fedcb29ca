import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type AccessKey, nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { RadioList } from '../parts/radio-list.tsx'
import { beginSession } from '../session/session.ts'
import { useIsKeyInUse, useSession } from '../session/session-context.tsx'
import { rotateKey } from './key-requests.ts'
import { ManagedSecretList } from './managed-secrets.tsx'
import { ShowOnce } from './show-once.tsx'

const overlaps = [
  { value: '0', label: 'Not at all', note: 'For a leaked key: the previous value is refused at once.' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day', note: 'Usual: enough for everything that uses the key to take the new value.' },
  { value: '604800', label: '7 days' },
] as const

export function RotateKeyDialog({
  accessKey,
  onClose,
}: {
  readonly accessKey: AccessKey
  readonly onClose: () => void
}) {
  const { session, holdSession } = useSession()
  const isInUse = useIsKeyInUse(nameOf(accessKey))
  const release = useRef<() => void>(undefined)
  useEffect(() => () => release.current?.(), [])
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]['value']>('86400')
  // From when the dialog was opened: a Secret added later was not seen, so the rotation is refused.
  const [secrets] = useState(accessKey.status?.managedSecrets ?? [])
  const rotation = useMutation({ mutationFn: rotate, gcTime: 0 })

  /** A user who rotates the key in use continues with the new value, and sees it whatever happens to the session. */
  async function rotate(): Promise<AccessKey> {
    if (isInUse) release.current ??= holdSession()
    const rotated = await rotateKey(session.management, accessKey, Number(overlap), secrets)
    if (isInUse) await beginSession(rotated.spec?.key ?? '').catch(() => {})
    return rotated
  }

  const displayName = accessKey.spec?.displayName || nameOf(accessKey)

  if (rotation.data !== undefined) return <ShowOnce accessKey={rotation.data} verb="rotated" onClose={onClose} />
  return (
    <Dialog
      title={`Rotate ${displayName}`}
      description="The key gets a new value. Its scope, its owner and its name stay."
      isOpen
      isBusy={rotation.isPending}
      onClose={onClose}
      footer={
        <>
          <Button disabled={rotation.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button tone="primary" disabled={rotation.isPending} onClick={() => rotation.mutate()}>
            {rotation.isPending ? 'Rotating…' : 'Rotate'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <RadioList
          label="How long does the previous value stay valid?"
          value={overlap}
          choices={overlaps}
          onChange={setOverlap}
        />
        {secrets.length === 0 ? (
          <p>No Secret is kept up to date with this key: give the new value to every client that uses it.</p>
        ) : (
          <section aria-label="Secrets that get the new value">
            <p>The new value is written into:</p>
            <ManagedSecretList secrets={secrets} />
          </section>
        )}
        {isInUse && <p>You are signed in with this key. The console continues with the new value.</p>}
        <p className="text-muted">While both are valid, the page of the key lists who still uses the previous value.</p>
        {rotation.error !== null && <ProblemNote title="The key was not rotated" problem={rotation.error} />}
      </div>
    </Dialog>
  )
}
