import { api } from '../../api.ts'
import type { Person } from '../../records.ts'
import { say } from '../../ui/toasts.tsx'
import { useSending } from '../../ui/use-sending.ts'
import { texts } from './words.ts'

type Attendance = 'ATTENDED' | 'MISSED' | null

/** One click, and ten seconds to take it back: nobody is told. */
export function useAttendance({ uuid, name, attendance = null }: Person, onDone: () => void) {
  const { busy, run } = useSending()
  const send = (next: Attendance) => api.post(`/participations/${uuid}/attendance`, { attendance: next })

  async function mark(next: Attendance) {
    if (!(await run(() => send(next).then(() => true)))) return
    const undo = () => void run(() => send(attendance)).then(onDone)
    const sentence = next === 'ATTENDED' ? texts.isArrived : texts.isMissed
    if (next) say(sentence(name ?? '–'), { undo })
    else say(texts.takenBack)
    onDone()
  }
  return { busy, mark }
}
