import { type KubeObject, nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { useUnsaved } from '../parts/unsaved.ts'
import { useManagement } from '../session/session-context.tsx'
import type { ResourceForm } from './form.ts'
import { FormDialog } from './form-dialog.tsx'
import { changeSpec, type ResourceKind } from './requests.ts'
import { useRight } from './use-right.ts'

interface EditButtonProps<T extends KubeObject, Values> {
  readonly kind: ResourceKind
  readonly object: T
  readonly form: ResourceForm<Values>
  readonly valuesOf: (object: T) => Values
}

/** For users who have the right: others are told on the page who could allow it. */
export function EditButton<T extends KubeObject, Values>({ kind, object, form, valuesOf }: EditButtonProps<T, Values>) {
  const management = useManagement()
  const [edited, setEdited] = useUnsaved<T | undefined>('edited', undefined)
  const access = useRight({ verb: 'patch', kind, object })
  if (access?.isAllowed !== true) return null
  return (
    <>
      <Button onClick={() => setEdited(object)}>Edit…</Button>
      {edited !== undefined && (
        <FormDialog
          title={`Edit ${nameOf(edited)}`}
          form={form}
          first={valuesOf(edited)}
          asksName={false}
          action="Save"
          onSave={(_, spec) => changeSpec(management, kind, edited, spec)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
