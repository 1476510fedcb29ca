import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type AccessKey, nameOf } from '../../api/objects.ts'
import { ObjectYaml } from '../../editor/object-yaml.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Page } from '../../parts/page.tsx'
import { Shown } from '../../parts/shown.tsx'
import { PageTabs } from '../../parts/tabs.tsx'
import { useOneObject } from '../../resources/use-one-object.ts'
import { useManagement } from '../../session/session-context.tsx'
import type { KeyTask } from '../key-task.ts'
import { KeyTaskDialog } from '../key-task-dialog.tsx'
import { PhaseBadge } from '../phase-badge.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { ExplainTab } from './explain-tab.tsx'
import { KeyOverviewTab } from './overview-tab.tsx'

const route = getRouteApi('/keys/$name')

export function KeyPage() {
  const { name } = route.useParams()
  const management = useManagement()
  const path = management.path('ownedaccesskeys', { name })
  const list = management.path('ownedaccesskeys', { query: { fieldSelector: `metadata.name=${name}` } })
  const fetched = useOneObject<AccessKey>({ list, object: path })
  if (fetched.state === 'known') return <KnownKey accessKey={fetched.value} path={path} />
  return (
    <Page title={name}>
      <Shown
        of={fetched}
        empty={<Empty title="There is no such key">It may have been deleted, or you may not see it.</Empty>}
      >
        {() => null}
      </Shown>
    </Page>
  )
}

function KnownKey({ accessKey: key, path }: { readonly accessKey: AccessKey; readonly path: string }) {
  const navigate = useNavigate()
  const [task, setTask] = useState<KeyTask>()
  const name = nameOf(key)
  const displayName = key.spec?.displayName || name
  return (
    <Page
      title={displayName}
      aside={<PhaseBadge phase={key.status?.phase ?? 'Active'} />}
      subtitle={<code>{name}</code>}
      actions={<KeyActions accessKey={key} onTask={setTask} />}
    >
      {key.spec?.description !== undefined && <p className="max-w-prose break-words">{key.spec.description}</p>}
      <PageTabs
        label={`About ${displayName}`}
        tabs={[
          { id: 'overview', label: 'Overview', content: <KeyOverviewTab accessKey={key} /> },
          { id: 'activity', label: 'Activity', content: <ActivityTab accessKey={key} /> },
          { id: 'explain', label: 'Why was it refused?', content: <ExplainTab accessKey={key} /> },
          {
            id: 'yaml',
            label: 'YAML',
            content: <ObjectYaml label="The access key" object={key} path={path} />,
          },
        ]}
      />
      {task !== undefined && (
        <KeyTaskDialog
          task={task}
          onClose={() => setTask(undefined)}
          onDeleted={() => void navigate({ to: '/keys' })}
        />
      )}
    </Page>
  )
}

function KeyActions({
  accessKey,
  onTask,
}: {
  readonly accessKey: AccessKey
  readonly onTask: (task: KeyTask) => void
}) {
  const isDisabled = accessKey.spec?.disabled === true
  const isSession = accessKey.spec?.type === 'Login'
  return (
    <>
      <Button onClick={() => onTask({ type: isDisabled ? 'enable' : 'disable', key: accessKey })}>
        {isDisabled ? 'Enable' : 'Disable'}
      </Button>
      {!isSession && <Button onClick={() => onTask({ type: 'rotate', key: accessKey })}>Rotate…</Button>}
      <Button tone="danger-quiet" onClick={() => onTask({ type: 'delete', key: accessKey })}>
        Delete…
      </Button>
    </>
  )
}
