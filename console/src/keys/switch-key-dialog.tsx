import { useMutation } from '@tanstack/react-query'
import { type AccessKey, nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { useManagement } from '../session/session-context.tsx'
import { KeyInUseNote } from './key-in-use-note.tsx'
import { setDisabled } from './key-requests.ts'

interface SwitchKeyDialogProps {
  readonly accessKey: AccessKey
  readonly isDisabling: boolean
  readonly onClose: () => void
}

export function SwitchKeyDialog({ accessKey, isDisabling, onClose }: SwitchKeyDialogProps) {
  const management = useManagement()
  const change = useMutation({ mutationFn: () => setDisabled(management, accessKey, isDisabling), onSuccess: onClose })
  const displayName = accessKey.spec?.displayName || nameOf(accessKey)
  return (
    <Dialog
      title={`${isDisabling ? 'Disable' : 'Enable'} ${displayName}?`}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={change.isPending} onClick={() => change.mutate()}>
            {isDisabling ? 'Disable' : 'Enable'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>
          {isDisabling
            ? 'The key is refused from the next request on, and its open connections are cut. It can be enabled again.'
            : 'The key works again from the next request on, with the value and the scope it has.'}
        </p>
        {isDisabling && <KeyInUseNote accessKey={accessKey} />}
        {change.error !== null && <ProblemNote problem={change.error} />}
      </div>
    </Dialog>
  )
}
