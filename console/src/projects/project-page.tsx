import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { nameOf, namespaceOf, type Project, type SpaceInstance } from '../api/objects.ts'
import { listed } from '../fetched/fetched.ts'
import { useLive } from '../live/use-live.ts'
import { Badge } from '../parts/badge.tsx'
import { Facts } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { EditButton } from '../resources/edit-button.tsx'
import { projectKind } from '../resources/kinds.ts'
import { ObjectPage } from '../resources/object-page.tsx'
import { useManagement } from '../session/session-context.tsx'
import { SimpleTable } from '../table/simple-table.tsx'
import { VirtualClustersOf } from '../virtual-clusters/virtual-clusters-of.tsx'
import { clusterText } from './cluster-text.ts'
import { projectForm, projectValues } from './project-form.tsx'

const route = getRouteApi('/projects/$name')

export function ProjectPage() {
  const { name } = route.useParams()
  const navigate = useNavigate()
  return (
    <ObjectPage<Project>
      kind={projectKind}
      name={name}
      actions={(project) => (
        <EditButton kind={projectKind} object={project} form={projectForm} valuesOf={projectValues} />
      )}
      deletion={() => <Deletion />}
      onDeleted={() => void navigate({ to: '/projects' })}
      tabs={(project) => [
        { id: 'overview', label: 'Overview', content: <ProjectFacts project={project} /> },
        { id: 'members', label: 'Members', content: <Members project={project} /> },
        { id: 'virtual-clusters', label: 'Virtual clusters', content: <VirtualClustersOf project={name} /> },
        { id: 'spaces', label: 'Spaces', content: <Spaces project={name} /> },
      ]}
    />
  )
}

function Deletion() {
  return (
    <>
      Members lose the rights that the project gives them. Its virtual clusters and spaces stay, and go on running,
      until each of them is deleted; the project's namespace goes with the last of them.
    </>
  )
}

function ProjectFacts({ project }: { readonly project: Project }) {
  const { spec = {} } = project
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          { label: 'Namespace', value: <code>{namespaceOf(nameOf(project))}</code> },
          {
            label: 'Clusters',
            value: clusterText(spec.allowedClusters ?? ['*']),
          },
          { label: 'Members', value: String(spec.members?.length ?? 0) },
          { label: 'Quotas', value: quotaText(spec.quotas?.project) },
        ]}
      />
    </Panel>
  )
}

function quotaText(quotas: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(quotas)
  return entries.map(([name, amount]) => `${name} ${amount}`).join(', ') || 'no limits'
}

function Members({ project }: { readonly project: Project }) {
  return (
    <Panel title="Members">
      <SimpleTable
        label="Members"
        headers={['Name', 'Kind', 'Role']}
        empty="No member yet. Add some with Edit. Administrators of the platform have their rights here without being one."
        of={listed(project.spec?.members ?? [])}
        row={({ kind = 'User', name = '', role = 'user' }) => ({
          key: `${kind}/${name}`,
          cells: [
            name,
            kind,
            <Badge key="role" mood={role === 'admin' ? 'accent' : 'quiet'}>
              {role}
            </Badge>,
          ],
        })}
      />
    </Panel>
  )
}

function Spaces({ project }: { readonly project: string }) {
  const spaces = useLive<SpaceInstance>(useManagement().path('spaceinstances', { namespace: namespaceOf(project) }))
  return (
    <Panel title="Spaces">
      <SimpleTable
        label="Spaces"
        headers={['Space', 'Cluster', 'Namespace', 'Phase']}
        empty="None. A space is one namespace of a host cluster that the project may use."
        of={spaces}
        row={(space) => ({
          key: nameOf(space),
          cells: [
            nameOf(space),
            space.spec?.clusterRef?.cluster ?? '–',
            space.spec?.clusterRef?.namespace ?? '–',
            space.status?.phase ?? '–',
          ],
        })}
      />
    </Panel>
  )
}
