import { jsonText } from '../../base/json/json-text.ts'
import { asMembers, asObjects, asText } from '../../base/json/lenient.ts'
import { parseYaml } from '../../base/json/yaml.ts'
import { ownYaml } from '../../base/json/yaml-compose.ts'
import { type KubeconfigContext, printKubeconfig } from '../../cluster/kubeconfig.ts'

type Entry = Readonly<Record<string, unknown>>

/**
 * The kubeconfig of `tenant up` with its current contexts. What its user has chosen (the current context, namespaces)
 * and added, as `tenant connect` does, stays; `before` is the previous file.
 */
export function upKubeconfig(contexts: readonly KubeconfigContext[], before: string | undefined): string {
  const fresh = asMembers(JSON.parse(printKubeconfig(contexts)))
  const found = membersOf(before)
  const own = new Set([...contexts.map(({ name }) => name), ...asObjects(found.contexts).filter(isOwn).map(nameOf)])
  const ownUsers = new Set([...own].map(userOf))
  const kept = (list: string, gone: ReadonlySet<string>) =>
    asObjects(found[list]).filter((entry) => !gone.has(nameOf(entry)))
  const chosen = namespacesIn(found)
  const all = [...asObjects(fresh.contexts).map((entry) => inNamespace(entry, chosen)), ...kept('contexts', own)]
  const current = asText(found['current-context'])
  return jsonText({
    ...fresh,
    clusters: [...asObjects(fresh.clusters), ...kept('clusters', own)],
    users: [...asObjects(fresh.users), ...kept('users', ownUsers)],
    contexts: all,
    'current-context': all.some((entry) => nameOf(entry) === current) ? current : fresh['current-context'],
  })
}

/** A file that cannot be read contains nothing worth keeping. */
function membersOf(text = ''): Entry {
  try {
    return asMembers(parseYaml(text, ownYaml).value)
  } catch {
    return {}
  }
}

function nameOf({ name }: Entry): string {
  return asText(name)
}

function userOf(context: string): string {
  return `${context}-admin`
}

/** As named by `printKubeconfig`. */
function isOwn(entry: Entry): boolean {
  const { cluster, user } = asMembers(entry.context)
  return cluster === entry.name && user === userOf(nameOf(entry))
}

function namespacesIn({ contexts }: Entry): ReadonlyMap<string, string> {
  return new Map(
    asObjects(contexts).map((entry) => [nameOf(entry), asText(asMembers(entry.context).namespace)] as const),
  )
}

function inNamespace(entry: Entry, chosen: ReadonlyMap<string, string>): Entry {
  const namespace = chosen.get(nameOf(entry)) ?? ''
  return namespace === '' ? entry : { ...entry, context: { ...asMembers(entry.context), namespace } }
}
