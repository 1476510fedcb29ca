import { useMutation } from '@tanstack/react-query'
import { type ComponentType, useMemo } from 'react'
import { nameFrom } from '../../format/words.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { useUnsaved } from '../../parts/unsaved.ts'
import { useSession } from '../../session/session-context.tsx'
import { createKey, newKey } from '../key-requests.ts'
import { keySentence } from '../sentence.ts'
import { ShowOnce } from '../show-once.tsx'
import { emptyDraft, isScopeEmpty, type KeyDraft, specOf } from './draft.ts'
import { LifeStep } from './life-step.tsx'
import { NameStep } from './name-step.tsx'
import { OwnerStep } from './owner-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { ScopeStep } from './scope-step.tsx'
import type { StepProps } from './step.ts'
import { StepList } from './step-list.tsx'

interface Step {
  readonly label: string
  readonly form?: ComponentType<StepProps>
  /** Why the user cannot continue yet. */
  readonly missing?: (draft: KeyDraft) => string | undefined
}

const steps: readonly Step[] = [
  {
    label: 'Name',
    form: NameStep,
    missing: ({ displayName }) => (displayName.trim() === '' ? 'Give the key a name.' : undefined),
  },
  {
    label: 'Owner',
    form: OwnerStep,
    missing: ({ owner }) => (owner.kind !== 'self' && owner.name === '' ? 'Pick an owner.' : undefined),
  },
  { label: 'Life', form: LifeStep },
  {
    label: 'Scope',
    form: ScopeStep,
    missing: (draft) => (isScopeEmpty(draft) ? 'Pick something, or let the key reach everything.' : undefined),
  },
  { label: 'Review' },
]

export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { session } = useSession()
  const [draft, setDraft] = useUnsaved('new key', emptyDraft)
  const [position, setPosition] = useUnsaved('step', 0)
  const spec = useMemo(() => specOf(draft), [draft])
  const object = useMemo(
    () => newKey(session.management, nameFrom(draft.displayName), spec),
    [session, draft.displayName, spec],
  )
  const creation = useMutation({ mutationFn: () => createKey(session.management, object), gcTime: 0 })
  const step = steps[position]
  const missing = step?.missing?.(draft)
  const isLast = position === steps.length - 1
  const Form = step?.form

  if (creation.data !== undefined) return <ShowOnce accessKey={creation.data.value} verb="created" onClose={onClose} />
  return (
    <Dialog
      title="Create an access key"
      isOpen
      isWide
      isSticky={draft !== emptyDraft}
      isBusy={creation.isPending}
      onClose={onClose}
      summary={
        <p aria-live="polite" className="border-t border-line bg-accent-soft px-5 py-2.5 break-words">
          {isScopeEmpty(draft)
            ? 'Nothing is picked yet that this key may do.'
            : keySentence(spec, ownerWords(draft, session.user))}
        </p>
      }
      footer={
        <>
          {missing !== undefined && <p className="mr-auto self-center text-muted">{missing}</p>}
          {position > 0 && <Button onClick={() => setPosition(position - 1)}>Back</Button>}
          {isLast ? (
            <Button tone="primary" disabled={creation.isPending} onClick={() => creation.mutate()}>
              {creation.isPending ? 'Creating…' : 'Create key'}
            </Button>
          ) : (
            <Button tone="primary" disabled={missing !== undefined} onClick={() => setPosition(position + 1)}>
              Continue
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <StepList labels={steps.map(({ label }) => label)} position={position} onChoose={setPosition} />
        <div className="min-h-60">
          {Form === undefined ? <ReviewStep object={object} /> : <Form draft={draft} onChange={setDraft} />}
        </div>
        {creation.error !== null && <ProblemNote title="The key was not created" problem={creation.error} />}
      </div>
    </Dialog>
  )
}

function ownerWords({ owner }: KeyDraft, self: string): string {
  if (owner.kind === 'self') return `you (${self})`
  return `the ${owner.kind} ${owner.name}`
}
