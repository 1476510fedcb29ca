import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccessKey } from '../../api/objects.ts'
import { ObjectYaml } from '../../editor/object-yaml.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useOneObject } from '../../resources/use-one-object.ts'
import { useManagement } from '../../session/session-context.tsx'
import type { KeyTask } from '../key-task.ts'
import { KeyTaskDialog } from '../key-task-dialog.tsx'
import { PhaseBadge } from '../phase-badge.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { ExplainTab } from './explain-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'

const route = getRouteApi('/keys/$name')

export function KeyPage() {
  const { name } = route.useParams()
  const management = useManagement()
  const navigate = useNavigate()
  const path = management.path('ownedaccesskeys', { name })
  const list = management.path('ownedaccesskeys', { query: { fieldSelector: `metadata.name=${name}` } })
  const { object: key, isLoaded, problem } = useOneObject<AccessKey>({ list, object: path })
  const [task, setTask] = useState<KeyTask>()

  if (problem !== undefined)
    return (
      <Page title={name}>
        <ProblemNote problem={problem} />
      </Page>
    )
  if (key === undefined) {
    return (
      <Page title={name}>
        {isLoaded ? <Empty title="There is no such key">It may have been deleted, or you may not see it.</Empty> : null}
      </Page>
    )
  }
  const displayName = key.spec?.displayName || name
  return (
    <Page
      title={displayName}
      aside={<PhaseBadge phase={key.status?.phase ?? 'Active'} />}
      subtitle={<code>{name}</code>}
      actions={<KeyActions accessKey={key} onTask={setTask} />}
    >
      {key.spec?.description !== undefined && <p className="max-w-prose break-words">{key.spec.description}</p>}
      <Tabs
        label={`About ${displayName}`}
        tabs={[
          { id: 'overview', label: 'Overview', content: <OverviewTab accessKey={key} /> },
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
