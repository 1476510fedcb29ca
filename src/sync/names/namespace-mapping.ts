export interface NamespaceMapping {
  readonly namespace: string
  /** Whether the entry is a pattern, so that the tenant chooses the name. */
  readonly isPattern: boolean
}

/**
 * The namespace of the host for one of the virtual cluster: the most specific entry wins, `*` stands for the same rest.
 */
export function namespaceMapping(
  byName: Readonly<Record<string, string>>,
  namespace: string,
  tenant: string,
): NamespaceMapping | undefined {
  let best: (NamespaceMapping & { readonly length: number }) | undefined
  for (const [from, to] of Object.entries(byName)) {
    const prefix = from.endsWith('*') ? from.slice(0, -1) : undefined
    if (prefix === undefined ? from !== namespace : !namespace.startsWith(prefix)) continue
    const length = prefix?.length ?? Number.POSITIVE_INFINITY
    if (best !== undefined && best.length >= length) continue
    const rest = prefix === undefined ? '' : namespace.slice(prefix.length)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
    const mapped = to.replace(/\*$/, rest).replaceAll('${name}', tenant)
    best = { length, namespace: mapped, isPattern: prefix !== undefined }
  }
  return best && { namespace: best.namespace, isPattern: best.isPattern }
}

export function mappedNamespace(
  byName: Readonly<Record<string, string>>,
  namespace: string,
  tenant: string,
): string | undefined {
  return namespaceMapping(byName, namespace, tenant)?.namespace
}
