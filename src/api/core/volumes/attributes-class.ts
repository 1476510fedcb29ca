interface WithAttributesClass {
  readonly volumeAttributesClassName?: string
}

/** Volume attributes classes are disabled in 1.32: only objects that already have one keep it. */
export function withoutAttributesClass<T extends WithAttributesClass>(spec: T, old: WithAttributesClass): T {
  if (spec.volumeAttributesClassName === undefined || old.volumeAttributesClassName !== undefined) return spec
  const { volumeAttributesClassName: _, ...rest } = spec
  return sameSpec(rest)
}

/** Any such spec may lack the removed member. */
function sameSpec<T extends WithAttributesClass>(rest: Omit<T, 'volumeAttributesClassName'>): T {
  return rest as T
}
