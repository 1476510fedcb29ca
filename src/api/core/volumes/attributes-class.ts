interface WithAttributesClass {
  readonly volumeAttributesClassName?: string
}

/** Classes of attributes are known to 1.32 and switched off: only what has one already keeps it. */
export function withoutAttributesClass<T extends WithAttributesClass>(spec: T, old: WithAttributesClass): T {
  if (spec.volumeAttributesClassName === undefined || old.volumeAttributesClassName !== undefined) return spec
  const { volumeAttributesClassName: _, ...rest } = spec
  return sameSpec(rest)
}

/** The one member that is gone may be absent from any such spec. */
function sameSpec<T extends WithAttributesClass>(rest: Omit<T, 'volumeAttributesClassName'>): T {
  return rest as T
}
