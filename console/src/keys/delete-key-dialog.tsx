import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type AccessKey, nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useManagement } from '../session/session-context.tsx'
import { BlastRadius } from './blast-radius.tsx'
import { KeyInUseNote } from './key-in-use-note.tsx'
import { deleteKey } from './key-requests.ts'

interface DeleteKeyDialogProps {
  readonly accessKey: AccessKey
  readonly onClose: () => void
  readonly onDeleted: (() => void) | undefined
}

export function DeleteKeyDialog({ accessKey, onClose, onDeleted }: DeleteKeyDialogProps) {
  const management = useManagement()
  const [typed, setTyped] = useState('')
  const name = nameOf(accessKey)
  const deletion = useMutation({
    mutationFn: () => deleteKey(management, accessKey),
    onSuccess: () => {
      onClose()
      onDeleted?.()
    },
  })
  return (
    <Dialog
      title={`Delete ${accessKey.spec?.displayName || name}?`}
      description="The key is refused from the next request on, streams and sessions that were opened with it are cut, and virtual clusters that use it lose their link. This cannot be undone; to try it out first, disable the key."
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="danger" disabled={typed !== name || deletion.isPending} onClick={() => deletion.mutate()}>
            Delete key
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <KeyInUseNote accessKey={accessKey} />
        <BlastRadius accessKey={accessKey} />
        <TextField label={`Type ${name} to confirm`} autoComplete="off" value={typed} onChange={setTyped} />
        {deletion.error !== null && <ProblemNote title="The key was not deleted" problem={deletion.error} />}
      </div>
    </Dialog>
  )
}
