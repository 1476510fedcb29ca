import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useManagement } from '../session/session-context.tsx'
import { deleteObject, type ResourceKind } from './requests.ts'

interface DeleteDialogProps {
  readonly kind: ResourceKind
  readonly object: KubeObject
  /** What happens to everything else. */
  readonly children: ReactNode
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDialog({ kind, object, children, onClose, onDeleted }: DeleteDialogProps) {
  const management = useManagement()
  const [typed, setTyped] = useState('')
  const name = nameOf(object)
  const deletion = useMutation({ mutationFn: () => deleteObject(management, kind, object), onSuccess: onDeleted })
  return (
    <Dialog
      title={`Delete ${name}?`}
      description={children}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" disabled={typed !== name || deletion.isPending} onClick={() => deletion.mutate()}>
            Delete
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextField label={`Type ${name} to confirm`} autoComplete="off" value={typed} onChange={setTyped} />
        {deletion.error !== null && <ProblemNote title="Not deleted" problem={deletion.error} />}
      </div>
    </Dialog>
  )
}
