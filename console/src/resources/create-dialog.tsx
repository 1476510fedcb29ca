import type { KubeObject } from '../api/objects.ts'
import { useManagement } from '../session/session-context.tsx'
import type { ResourceForm } from './form.ts'
import { FormDialog } from './form-dialog.tsx'
import { createObject, type ResourceKind } from './requests.ts'

interface CreateDialogProps<Values> {
  readonly kind: ResourceKind
  readonly form: ResourceForm<Values>
  readonly onClose: () => void
}

export function CreateDialog<Values>({ kind, form, onClose }: CreateDialogProps<Values>) {
  const management = useManagement()
  return (
    <FormDialog
      title={`Create a ${kind.kind.toLowerCase()}`}
      form={form}
      first={form.empty}
      asksName
      action="Create"
      onSave={(name, spec) => createObject<KubeObject>(management, kind, { name }, spec)}
      onClose={onClose}
    />
  )
}
