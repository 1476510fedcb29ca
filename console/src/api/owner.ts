export interface Owner {
  readonly kind: 'user' | 'team' | 'subject'
  readonly name: string
}

interface OwnerFields {
  readonly user?: string | undefined
  readonly team?: string | undefined
  readonly subject?: string | undefined
}

/** The owner that a key acts for. */
export function ownerOf({ user = '', team = '', subject = '' }: OwnerFields): Owner | undefined {
  if (user !== '') return { kind: 'user', name: user }
  if (team !== '') return { kind: 'team', name: team }
  return subject === '' ? undefined : { kind: 'subject', name: subject }
}
