import type { Component } from './contract.ts'

export interface BillOptions {
  readonly product: Component
  readonly components: readonly Component[]
  readonly createdSeconds: number
}

/** What is in the image, in CycloneDX. Without a serial number, which would differ each time. */
export function billOfMaterials({ product, components, createdSeconds }: BillOptions): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: new Date(createdSeconds * 1000).toISOString(), component: entryOf(product) },
    components: unique(components).map(entryOf),
  }
}

/** A package that is installed twice in one version is listed once. */
function unique(components: readonly Component[]): readonly Component[] {
  const byPurl = new Map(components.map((component) => [component.purl, component]))
  return [...byPurl.values()].toSorted((left, right) => (left.purl < right.purl ? -1 : 1))
}

function entryOf({ type, name, version, purl, license }: Component) {
  const entry = { type, 'bom-ref': purl, name, version, purl }
  return license === undefined ? entry : { ...entry, licenses: [{ expression: license }] }
}
