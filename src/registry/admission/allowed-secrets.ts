import type { Container, Pod, ServiceAccount } from '../../api/types/core-v1.ts'

const enforced = 'kubernetes.io/enforce-mountable-secrets'
const truths = ['1', 't', 'T', 'true', 'TRUE', 'True']

/** Why a pod may not run as an account that restricts which secrets its pods may name. Undefined: it may. */
export function secretProblem({ spec }: Pod, account: ServiceAccount): string | undefined {
  if (!truths.includes(account.metadata.annotations?.[enforced] ?? '')) return undefined
  const because = `is not allowed because service account ${account.metadata.name ?? ''} does not reference that`
  const known = new Set((account.secrets ?? []).map(({ name = '' }) => name))
  for (const { secret } of spec.volumes ?? []) {
    const { secretName = '' } = secret ?? {}
    if (secret !== undefined && !known.has(secretName)) {
      return `volume with secret.secretName="${secretName}" ${because} secret`
    }
  }
  const [found] = [
    ...(spec.initContainers ?? []).flatMap((each) => foreignReferences(`init container ${each.name}`, each, known)),
    ...(spec.containers ?? []).flatMap((each) => foreignReferences(`container ${each.name}`, each, known)),
  ]
  if (found !== undefined) return `${found} ${because} secret`
  const pulled = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name))
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pulled.has(name)) return `imagePullSecrets[${index}].name="${name}" ${because} imagePullSecret`
  }
  return undefined
}

function foreignReferences(
  who: string,
  { env = [], envFrom = [] }: Container,
  known: ReadonlySet<string>,
): readonly string[] {
  const named = env.flatMap(({ name, valueFrom }) => {
    const secret = valueFrom?.secretKeyRef && (valueFrom.secretKeyRef.name ?? '')
    return secret === undefined || known.has(secret)
      ? []
      : [`${who} with envVar ${name} referencing secret.secretName="${secret}"`]
  })
  const whole = envFrom.flatMap(({ secretRef }) => {
    const secret = secretRef && (secretRef.name ?? '')
    return secret === undefined || known.has(secret)
      ? []
      : [`${who} with envFrom referencing secret.secretName="${secret}"`]
  })
  return [...named, ...whole]
}
