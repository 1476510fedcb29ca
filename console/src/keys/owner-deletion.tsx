/** What happens to keys and sessions when their owner is deleted. */
export function OwnerDeletion({ owner }: { readonly owner: 'user' | 'team' }) {
  return (
    <>
      The {owner}'s access keys and sessions are refused at once and deleted, also those that virtual clusters are
      linked with. {owner === 'team' && 'Its members stay, without the rights that the team gave them. '}
      {owner === 'user' && 'Teams and projects keep the name in their lists: '}
      {owner === 'team' && 'Projects keep the name in their lists: '}a new {owner} of the same name would have the same
      rights.
    </>
  )
}
