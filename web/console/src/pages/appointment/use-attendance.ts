import { api } from '../../api.ts'
import type { Person } from '../../records.ts'
import { useSubmit } from '../../ui/editing/use-submit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { texts } from './words.ts'

type Attendance = 'ATTENDED' | 'MISSED' | null

/** One click, with ten seconds to undo: no email is sent. */
export function useAttendance({ uuid, name, attendance = null }: Person, onDone: () => void) {
  const { busy, run } = useSubmit()
  const send = (next: Attendance) => api.post(`/participations/${uuid}/attendance`, { attendance: next })

  async function mark(next: Attendance) {
    if (!(await run(() => send(next).then(() => true)))) return
    const undo = () => void run(() => send(attendance)).then(onDone)
    const sentence = next === 'ATTENDED' ? texts.markedArrived : texts.markedNoShow
    if (next) showToast(sentence(name ?? '–'), { undo })
    else showToast(texts.attendanceUndone)
    onDone()
  }
  return { busy, mark }
}
