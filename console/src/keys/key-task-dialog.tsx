import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import type { KeyTask } from './key-task.ts'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { SwitchKeyDialog } from './switch-key-dialog.tsx'

interface KeyTaskDialogProps {
  readonly task: KeyTask
  readonly onClose: () => void
  /** After a deletion, the page of the key has nothing left to show. */
  readonly onDeleted?: () => void
}

export function KeyTaskDialog({ task, onClose, onDeleted }: KeyTaskDialogProps) {
  switch (task.type) {
    case 'disable':
    case 'enable':
      return <SwitchKeyDialog accessKey={task.key} isDisabling={task.type === 'disable'} onClose={onClose} />
    case 'rotate':
      return <RotateKeyDialog accessKey={task.key} onClose={onClose} />
    case 'delete':
      return <DeleteKeyDialog accessKey={task.key} onClose={onClose} onDeleted={onDeleted} />
  }
}
