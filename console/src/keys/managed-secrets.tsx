import type { AccessKeyStatus } from '../api/objects.ts'

export type ManagedSecrets = NonNullable<AccessKeyStatus['managedSecrets']>

/** Secrets that receive every new value of a key. */
export function ManagedSecretList({ secrets }: { readonly secrets: ManagedSecrets }) {
  return (
    <ul className="list-disc pl-5">
      {secrets.map(({ cluster = '', namespace = '', name = '', entry = '', uid = '', addedBy = '' }) => (
        <li key={`${cluster}/${uid}/${entry}`} className="break-words">
          Secret{' '}
          <code>
            {namespace}/{name}
          </code>{' '}
          {cluster === '' ? 'of the platform' : `of cluster ${cluster}`}
          {entry !== '' && entry !== 'accessKey' && (
            <>
              , entry <code>{entry}</code>
            </>
          )}
          <span className="text-muted">, added by {addedBy}</span>
        </li>
      ))}
    </ul>
  )
}
