import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useUnsaved } from '../parts/unsaved.ts'
import type { ResourceForm } from './form.ts'

interface FormDialogProps<Values> {
  readonly title: string
  readonly form: ResourceForm<Values>
  readonly first: Values
  /** Whether to ask for a name, which only new objects need. */
  readonly asksName: boolean
  readonly action: string
  readonly onSave: (name: string, spec: object) => Promise<unknown>
  readonly onClose: () => void
}

export function FormDialog<Values>(props: FormDialogProps<Values>) {
  const { title, form, first, asksName, action, onSave, onClose } = props
  const [name, setName] = useUnsaved(`${title}: name`, '')
  const [values, setValues] = useUnsaved(title, first)
  const [untouched] = useState(first)
  const id = useId()
  const save = useMutation({ mutationFn: () => onSave(name.trim(), form.toSpec(values)), onSuccess: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      title={title}
      isOpen
      isWide
      isSticky={name !== '' || values !== untouched}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit" form={id} disabled={save.isPending || (asksName && name.trim() === '')}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="grid gap-4">
        {asksName && (
          <TextField
            label="Name"
            hint="Lower-case letters, digits and dashes. It cannot be changed later."
            autoFocus
            maxLength={253}
            value={name}
            onChange={setName}
          />
        )}
        {form.fields(values, setValues)}
        {save.error !== null && <ProblemNote title="Not saved" problem={save.error} />}
      </form>
    </Dialog>
  )
}
