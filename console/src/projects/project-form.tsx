import { type Cluster, type Member, nameOf, type Project } from '../api/objects.ts'
import { listFrom } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { PickList } from '../parts/pick-list.tsx'
import { DescriptionFields } from '../resources/description-fields.tsx'
import type { ResourceForm } from '../resources/form.ts'
import { textOrNothing } from '../resources/text-list.ts'
import { useManagement } from '../session/session-context.tsx'
import { MembersEditor } from './members-editor.tsx'

interface ProjectValues {
  readonly displayName: string
  readonly description: string
  readonly members: readonly Member[]
  readonly allowedClusters: readonly string[]
}

export const projectForm: ResourceForm<ProjectValues> = {
  empty: { displayName: '', description: '', members: [], allowedClusters: ['*'] },
  toSpec: ({ displayName, description, members, allowedClusters }) => ({
    displayName: textOrNothing(displayName),
    description: textOrNothing(description),
    members,
    allowedClusters,
  }),
  fields: (values, onChange) => (
    <>
      <DescriptionFields values={values} onChange={onChange} />
      <MembersEditor members={values.members} onChange={(members) => onChange({ ...values, members })} />
      <ClusterPicker
        picked={values.allowedClusters}
        onChange={(allowedClusters) => onChange({ ...values, allowedClusters })}
      />
    </>
  ),
}

export function projectValues({ spec = {} }: Project): ProjectValues {
  const { displayName = '', description = '', members = [], allowedClusters = ['*'] } = spec
  return { displayName, description, members, allowedClusters }
}

function ClusterPicker({
  picked,
  onChange,
}: {
  readonly picked: readonly string[]
  readonly onChange: (picked: readonly string[]) => void
}) {
  const clusters = useLive<Cluster>(useManagement().path('clusters'))
  return (
    <PickList
      label="Clusters that the project may use"
      options={listFrom(clusters, (all) => all.map((cluster) => ({ value: nameOf(cluster), label: nameOf(cluster) })))}
      allLabel="All clusters"
      empty="There is no cluster that you may see."
      picked={picked}
      onChange={onChange}
    />
  )
}
