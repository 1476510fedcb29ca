import type { Cluster } from '../api/objects.ts'
import { Checkbox } from '../parts/checkbox.tsx'
import { TextField } from '../parts/text-field.tsx'
import { DescriptionFields } from '../resources/description-fields.tsx'
import type { ResourceForm } from '../resources/form.ts'
import { textOrNothing } from '../resources/text-list.ts'

interface ClusterValues {
  readonly displayName: string
  readonly description: string
  readonly secretName: string
  readonly secretNamespace: string
  readonly isInsecure: boolean
}

export const clusterForm: ResourceForm<ClusterValues> = {
  empty: { displayName: '', description: '', secretName: '', secretNamespace: '', isInsecure: false },
  toSpec: ({ displayName, description, secretName, secretNamespace, isInsecure }) => ({
    displayName: textOrNothing(displayName),
    description: textOrNothing(description),
    config: { secretName: textOrNothing(secretName), secretNamespace: textOrNothing(secretNamespace) },
    insecure: isInsecure,
  }),
  fields: (values, onChange) => (
    <>
      <DescriptionFields values={values} onChange={onChange} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Secret"
          hint="Holds the kubeconfig of the cluster in its entry config."
          value={values.secretName}
          onChange={(secretName) => onChange({ ...values, secretName })}
        />
        <TextField
          label="Namespace of the Secret"
          placeholder="tenant-platform"
          value={values.secretNamespace}
          onChange={(secretNamespace) => onChange({ ...values, secretNamespace })}
        />
      </div>
      <Checkbox
        label="Do not check the certificate of the cluster"
        note="An attacker between the platform and the cluster could then read and change everything."
        isOn={values.isInsecure}
        onChange={(isInsecure) => onChange({ ...values, isInsecure })}
      />
    </>
  ),
}

export function clusterValues({ spec = {} }: Cluster): ClusterValues {
  const { displayName = '', description = '', config = {}, insecure = false } = spec
  const { secretName = '', secretNamespace = '' } = config
  return { displayName, description, secretName, secretNamespace, isInsecure: insecure }
}
