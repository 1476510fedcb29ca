import type { Cluster } from '../../api/objects.ts'
import {
  type KubeObject,
  nameOf,
  type Project,
  projectOf,
  type SpaceInstance,
  type VirtualCluster,
} from '../../api/objects.ts'
import { type Fetched, listed, listFrom } from '../../fetched/fetched.ts'
import { useLive } from '../../live/use-live.ts'
import { type Option, PickList } from '../../parts/pick-list.tsx'
import { RadioList } from '../../parts/radio-list.tsx'
import { useManagement } from '../../session/session-context.tsx'
import { isAboutProjects, roleCatalog, roleInWords } from '../scope-words.ts'
import type { ScopeDraft } from './draft.ts'
import type { StepProps } from './step.ts'

export function ScopeStep({ draft, onChange }: StepProps) {
  return (
    <div className="grid gap-4">
      <RadioList
        label="What may the key reach?"
        value={draft.isLimited ? 'limited' : 'all'}
        choices={[
          {
            value: 'limited',
            label: 'Only what I pick',
            note: 'Everything else is refused, even if the owner may do it.',
          },
          { value: 'all', label: 'Everything its owner may reach' },
        ]}
        onChange={(value) => onChange({ ...draft, isLimited: value === 'limited' })}
      />
      {draft.isLimited && <ScopePicker scope={draft.scope} onChange={(scope) => onChange({ ...draft, scope })} />}
    </div>
  )
}

interface ScopePickerProps {
  readonly scope: ScopeDraft
  readonly onChange: (scope: ScopeDraft) => void
}

function ScopePicker({ scope, onChange }: ScopePickerProps) {
  const management = useManagement()
  const projects = useLive<Project>(management.path('projects'))
  const clusters = useLive<Cluster>(management.path('clusters'))
  const spaces = useLive<SpaceInstance>(management.path('spaceinstances'))
  const virtualClusters = useLive<VirtualCluster>(management.path('virtualclusterinstances'))
  const none = 'None that you may see.'
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <PickList
        label="Roles"
        options={listed(roles)}
        empty={none}
        picked={scope.roles}
        onChange={(picked) => onChange({ ...scope, roles: picked })}
      />
      {scope.roles.some(isAboutProjects) && (
        <PickList
          label="Projects of the roles"
          options={optionsOf(projects, named)}
          allLabel="All projects"
          empty={none}
          picked={scope.roleProjects}
          onChange={(roleProjects) => onChange({ ...scope, roleProjects })}
        />
      )}
      <PickList
        label="Projects, with all that is in them"
        options={optionsOf(projects, named)}
        allLabel="All projects"
        empty={none}
        picked={scope.projects}
        onChange={(picked) => onChange({ ...scope, projects: picked })}
      />
      <PickList
        label="Virtual clusters"
        options={optionsOf(virtualClusters, inProject)}
        allLabel="All virtual clusters"
        empty={none}
        picked={scope.virtualClusters}
        onChange={(picked) => onChange({ ...scope, virtualClusters: picked })}
      />
      <PickList
        label="Namespaces (spaces)"
        options={optionsOf(spaces, inProject)}
        allLabel="All spaces"
        empty={none}
        picked={scope.spaces}
        onChange={(picked) => onChange({ ...scope, spaces: picked })}
      />
      <PickList
        label="Host clusters"
        options={optionsOf(clusters, named)}
        allLabel="All clusters"
        empty={none}
        picked={scope.clusters}
        onChange={(picked) => onChange({ ...scope, clusters: picked })}
      />
    </div>
  )
}

const roles: readonly Option[] = roleCatalog.map((role) => ({
  value: role,
  label: role,
  note: `May ${roleInWords(role)}.`,
}))

function optionsOf(
  objects: Fetched<readonly KubeObject[]>,
  option: (object: KubeObject) => Option,
): Fetched<readonly Option[]> {
  return listFrom(objects, (all) => all.map(option))
}

function named(object: KubeObject): Option {
  return { value: nameOf(object), label: nameOf(object) }
}

function inProject(object: KubeObject): Option {
  const value = `${projectOf(object)}/${nameOf(object)}`
  return { value, label: value }
}
