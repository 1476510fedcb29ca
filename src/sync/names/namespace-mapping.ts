/** The namespace of the host for one of the virtual cluster: the most exact entry counts, `*` stands for the same rest. */
export function mappedNamespace(
  byName: Readonly<Record<string, string>>,
  namespace: string,
  tenant: string,
): string | undefined {
  let best: { readonly length: number; readonly namespace: string } | undefined
  for (const [from, to] of Object.entries(byName)) {
    const prefix = from.endsWith('*') ? from.slice(0, -1) : undefined
    if (prefix === undefined ? from !== namespace : !namespace.startsWith(prefix)) continue
    const length = prefix?.length ?? Number.POSITIVE_INFINITY
    if (best !== undefined && best.length >= length) continue
    const rest = prefix === undefined ? '' : namespace.slice(prefix.length)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
    best = { length, namespace: to.replace(/\*$/, rest).replaceAll('${name}', tenant) }
  }
  return best?.namespace
}
