import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AccessKey, nameOf } from '../../api/objects.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Loading } from '../../parts/shown.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useManagement } from '../../session/session-context.tsx'
import { askAboutKey } from '../insight.ts'
import { type ExplainQuestion, emptyQuestion, questionSpec, targets, verbs } from './explain-question.ts'
import { type Explanation, Findings } from './findings.tsx'

/** Asks every layer whether it would allow a request, and what would have to change. */
export function ExplainTab({ accessKey }: { readonly accessKey: AccessKey }) {
  const management = useManagement()
  const [question, setQuestion] = useState<ExplainQuestion>({ ...emptyQuestion, group: management.group })
  const answer = useMutation({
    mutationFn: () =>
      askAboutKey<Explanation>(management, nameOf(accessKey), {
        subresource: 'explain',
        kind: 'AccessKeyExplanation',
        spec: questionSpec(question),
      }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer.mutate()
  }
  const set = (change: Partial<ExplainQuestion>) => setQuestion({ ...question, ...change })
  const isProxied = question.target !== 'management'
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <Panel title="The request">
        <form onSubmit={submit} className="grid gap-3">
          <Field label="Goes to">
            {(control) => (
              <Choice {...control} value={question.target} choices={targets} onChange={(target) => set({ target })} />
            )}
          </Field>
          {isProxied && (
            <div className="grid grid-cols-2 gap-3">
              {question.target !== 'cluster' && (
                <TextField label="Project" value={question.project} onChange={(project) => set({ project })} />
              )}
              <TextField label="Name" value={question.targetName} onChange={(targetName) => set({ targetName })} />
            </div>
          )}
          <div className="grid grid-cols-2 gap-3">
            <Field label="Verb">
              {(control) => (
                <Choice {...control} value={question.verb} choices={verbs} onChange={(verb) => set({ verb })} />
              )}
            </Field>
            <TextField
              label="Resource"
              placeholder="projects"
              value={question.resource}
              onChange={(resource) => set({ resource })}
            />
            <TextField
              label="API group"
              placeholder="core"
              value={question.group}
              onChange={(group) => set({ group })}
            />
            <TextField label="Namespace" value={question.namespace} onChange={(namespace) => set({ namespace })} />
            <TextField label="Object" value={question.name} onChange={(name) => set({ name })} />
            <TextField
              label="Subresource"
              value={question.subresource}
              onChange={(subresource) => set({ subresource })}
            />
          </div>
          <Button type="submit" tone="primary" disabled={question.resource === '' || answer.isPending}>
            Explain
          </Button>
        </form>
      </Panel>
      <Panel title="The answer">
        {answer.error !== null && <ProblemNote problem={answer.error} />}
        {answer.isPending && <Loading />}
        {answer.data === undefined ? (
          <p className="text-muted">
            Say what was asked, and every layer tells whether it lets the request pass, and the smallest change that
            would.
          </p>
        ) : (
          <Findings explanation={answer.data} />
        )}
      </Panel>
    </div>
  )
}
