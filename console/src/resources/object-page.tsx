import type { ReactNode } from 'react'
import { useState } from 'react'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { ObjectYaml } from '../editor/object-yaml.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { Shown } from '../parts/shown.tsx'
import { PageTabs, type Tab } from '../parts/tabs.tsx'
import { useManagement } from '../session/session-context.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { objectPathOf, type ResourceKind } from './requests.ts'
import { useOneObject } from './use-one-object.ts'
import { refusalOf, useRight } from './use-right.ts'

interface ObjectPageProps<T extends KubeObject> {
  readonly kind: ResourceKind
  readonly name: string
  readonly namespace?: string
  readonly aside?: (object: T) => ReactNode
  readonly actions?: (object: T) => ReactNode
  readonly tabs: (object: T) => readonly Tab[]
  /** What happens to everything else on deletion. */
  readonly deletion: (object: T) => ReactNode
  readonly onDeleted: () => void
}

interface Described extends KubeObject {
  readonly spec?: { readonly displayName?: string; readonly description?: string }
}

/** One object, live: its details, its YAML, and its deletion. */
export function ObjectPage<T extends Described>(props: ObjectPageProps<T>) {
  const { kind, name, namespace } = props
  const management = useManagement()
  const query = { fieldSelector: `metadata.name=${name}` }
  const place = namespace === undefined ? {} : { namespace }
  const fetched = useOneObject<T>({
    list: management.path(kind.plural, { ...place, query }),
    object: management.path(kind.plural, { ...place, name }),
  })
  if (fetched.state === 'known') return <KnownObject key={`${namespace}/${name}`} {...props} object={fetched.value} />
  return (
    <Page title={name}>
      <Shown
        of={fetched}
        empty={
          <Empty title={`There is no ${kind.noun} ${name}`}>It may have been deleted, or you may not see it.</Empty>
        }
      >
        {() => null}
      </Shown>
    </Page>
  )
}

function KnownObject<T extends Described>(props: ObjectPageProps<T> & { readonly object: T }) {
  const { kind, name, namespace, aside, actions, tabs, deletion, onDeleted, object } = props
  const management = useManagement()
  const [isDeleting, setIsDeleting] = useState(false)
  const changing = useRight({ verb: 'update', kind, object })
  const deleting = useRight({ verb: 'delete', kind, object })
  const refusal = refusalOf(changing)
  const { displayName, description } = object.spec ?? {}
  const yaml = {
    id: 'yaml',
    label: 'YAML',
    content: (
      <ObjectYaml
        label={`${kind.kind} ${name}`}
        object={object}
        path={objectPathOf(management, kind, object)}
        isReadOnly={refusal !== ''}
      />
    ),
  }
  return (
    <Page
      title={displayName || nameOf(object)}
      aside={aside?.(object)}
      subtitle={<code>{namespace === undefined ? name : `${namespace.replace(/^p-/, '')}/${name}`}</code>}
      actions={
        <>
          {actions?.(object)}
          {deleting?.isAllowed === true && (
            <Button tone="danger-quiet" onClick={() => setIsDeleting(true)}>
              Delete…
            </Button>
          )}
        </>
      }
    >
      {refusal !== '' && <p role="note" className="text-muted">{`You may not change this: ${refusal}.`}</p>}
      {description !== undefined && description !== '' && <p className="max-w-prose break-words">{description}</p>}
      <PageTabs label={`About ${name}`} tabs={[...tabs(object), yaml]} />
      {isDeleting && (
        <DeleteDialog kind={kind} object={object} onClose={() => setIsDeleting(false)} onDeleted={onDeleted}>
          {deletion(object)}
        </DeleteDialog>
      )}
    </Page>
  )
}
