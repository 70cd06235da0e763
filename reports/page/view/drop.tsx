import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { NamedReport } from '../../compare/compare.ts'
import { reportsIn } from '../model/dropped.ts'
import { Text } from './text.tsx'

interface DropProps {
  add(reports: readonly NamedReport[]): void
}

/** Takes further reports: dropped anywhere on the page, or chosen. */
export function Drop({ add }: DropProps): VNode {
  const [over, setOver] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const field = useRef<HTMLInputElement>(null)

  async function take(files: FileList | null | undefined): Promise<void> {
    const reports: NamedReport[] = []
    const said: string[] = []
    for (const file of files ?? []) {
      const found = reportsIn(await file.text())
      if (typeof found === 'string') said.push(`${file.name} ${found}`)
      else for (const report of found) reports.push({ name: file.name, report })
    }
    setProblems(said)
    if (reports.length > 0) add(reports)
  }
  const latest = useRef(take)
  latest.current = take

  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const dragged = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent): void => {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      void latest.current(event.dataTransfer?.files)
    }
    addEventListener('dragover', dragged)
    addEventListener('dragleave', left)
    addEventListener('drop', dropped)
    return () => {
      removeEventListener('dragover', dragged)
      removeEventListener('dragleave', left)
      removeEventListener('drop', dropped)
    }
  }, [])

  return (
    <div class="drop screen-only">
      <p>
        <button type="button" onClick={() => field.current?.click()}>
          Compare with other reports…
        </button>{' '}
        <span class="soft">or drop report.json or report.html files anywhere on this page. Nothing leaves it.</span>
      </p>
      <input
        ref={field}
        class="hidden"
        type="file"
        multiple
        accept=".json,.html"
        tabIndex={-1}
        aria-label="Reports to compare with"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files).then(() => {
            if (field.current) field.current.value = ''
          })
        }}
      />
      <div role="alert">
        {problems.map((problem) => (
          <p key={problem} class="problem">
            <Text value={problem} most={300} />
          </p>
        ))}
      </div>
      {over && (
        <div class="over" aria-hidden="true">
          <p>Drop reports to compare</p>
        </div>
      )}
    </div>
  )
}
