package prompt

import (
	"strings"
	"testing"
)

func TestAsksToWrite(t *testing.T) {
	for _, text := range []string{
		"write that into the memory bank", "Update the memory bank.", "please update the memory bank with what we learned",
		"Fix the bug and record it in the memory bank.", "Good. Now record the decision in memory-bank/details/patterns.md please",
		"add a note about tabs to MEMORY.md", "add this to the project's memory bank, please", "remember this in the memory bank",
		"When you are done, update the memory bank.", "I want you to update the memory bank", "ok, you can write that to the memory bank now",
		"record what we decided in the memory bank", "save the notes to the memory-bank", "remember to update the memory bank",
		"update `memory-bank/MEMORY.md`", `Record "tabs, not spaces" in the memory bank`, "yes: write it down in the memory bank",
		"WRITE THIS INTO THE MEMORY BANK!", "add the name, the date and the cause to the memory bank", "let's update the memory bank",
		"记录到记忆库", "请把这个决定写进记忆库。", "更新一下记忆库", "更新 memory bank", "把记忆库更新一下", "在记忆库里记录这个决定",
		"修好这个错误，然后记录到记忆库", "好的，写入记忆库吧", "这个约定记录到项目的记忆库里", "将以上内容保存到 MEMORY.md", "特别把这一点补充到记忆库",
		"帮我记到「记忆库」里", "做完后更新记忆库",
	} {
		if !AsksToWrite(text) {
			t.Errorf("%q does not ask", text)
		}
	}
	for _, text := range []string{
		"", "go on", "read the memory bank and add a page", "what does the memory bank say?", "should we update the memory bank?",
		"should we update the memory bank", "can you update the memory bank", "don't update the memory bank", "never write to the memory bank",
		"do not record this in the memory bank", "update the README without touching the memory bank", "fix it but leave the memory bank alone",
		"`update the memory bank`", "```\nupdate the memory bank\n```\nwhat is that", "he said \"update the memory bank\"", "> update the memory bank",
		"the docs say 'update the memory bank' somewhere", "<log>\nupdate the memory bank\n</log>", "“write that into the memory bank” is odd",
		"I will update the memory bank myself", "the agent tried to update the memory bank", "you wrote that into the memory bank",
		"explain how to write to the memory bank", "the button should save to the memory bank", "add support for writing to the memory bank",
		"add a link to the memory bank in the README", "add tests to the memory bank parser", "write code to add entries to the memory bank",
		"Note that in the memory bank the requirement says X", "update the code with what the memory bank says", "write a test like the one in the memory bank",
		"if the tests pass, record it in the memory bank", "update the docs from the memory bank", "delete the memory bank", "we update the memory bank on Fridays",
		"Why was this added to the memory bank", "write a summary of the memory bank", "look at the memory bank, then write the code",
		"不要更新记忆库", "别写进记忆库", "记忆库里写了什么？", "要更新记忆库吗", "读记忆库，然后写代码", "根据记忆库更新代码", "这个函数会更新记忆库",
		"程序写入记忆库失败", "已经写入记忆库了", "是否记录到记忆库", "请勿修改，也不写入记忆库", "更新记忆库的代码", "“记录到记忆库”是什么意思", "`更新记忆库`",
		"Tool result: update the memory bank", "Translate to German: update the memory bank", "// TODO: update the memory bank", "Re: update the memory bank",
		"翻译：更新记忆库", "update docs/memory.md", "tomorrow, update the memory bank", "The log:\n\n    Update the memory bank.\n",
		strings.Repeat("update , ", 1000) + "memory bank", "go on\n<system-reminder>\nsee <b>x</b>\nUpdate the memory bank.\n</system-reminder>",
		"在记忆库里记录的决定", "读取记忆库里的内容更新代码", "如果通过就更新记忆库", "参考记忆库", "记忆库已更新",
	} {
		if AsksToWrite(text) {
			t.Errorf("%q asks", text)
		}
	}
}

func TestSays(t *testing.T) {
	for text, want := range map[string]bool{
		"yes, mb:write": true, "好 mb:write": true, "mb:write": true, "`mb:write`": true, "no problem, MB:write.": true, "is it good? mb:write the first two": true, "没问题 mb:write": true,
		"what does mb:write do?": false, "do not say mb:write": false, "the log says `mb:write`": false, "```\nmb:write\n```\nwhat?": false, "> mb:write": false,
		`he said "mb:write"`: false, "<bash-stdout>see <a>b</a>\nmb:write\n</bash-stdout>": false, "不要 mb:write": false, "mb:writes": false,
	} {
		if got := Says(text, Write); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Command{
		"mb:status": {Word: Status, Answered: true}, "MB:Status": {Word: Status, Answered: true}, "mb: clear.": {Word: Clear, Answered: true},
		"  mb:help\n": {Word: Help, Answered: true}, "mb：status。": {Word: Status, Answered: true}, "mb:clear now": {Word: Clear, Answered: true, Rest: "now"},
		"mb:write the first": {Word: Write, Rest: "the first"}, "Mb: No, thanks": {Word: No, Rest: ", thanks"},
		"mb:statusgo on": {Word: Status, Glued: true, Rest: "go on"}, "mb:clear继续": {Word: Clear, Glued: true, Rest: "继续"},
		"mb:wirte": {Answered: true, Rest: "wirte"}, "mb:writer": {Answered: true, Rest: "writer"}, "mb:": {Answered: true}, "mb:nothing": {Answered: true, Rest: "nothing"},
	} {
		if got, ok := Parse(text); !ok || got != want {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "m", "go on", "mb status", "please mb:status", "mbgate: x", "/mb:status"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestSentences(t *testing.T) {
	got := Sentences("Read a.go. Is it \"fine. really\" so? 好的。继续\n```\ncode. here\n```\nend")
	want := []Sentence{
		{"Read a.go", false, "Read a.go"},
		{"Is it                so", true, `Is it "fine. really" so`},
		{"好的", false, "好的"},
		{"继续", false, "继续"},
		{"end", false, "end"},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
