package risk

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mbgate/mbgate/internal/event"
)

func TestHeuristics(t *testing.T) {
	const cut = "*** Begin Patch\n*** Delete File: z\n*** End Patch"
	quoted, _ := json.Marshal(cut)
	for _, test := range []struct{ name, args, want string }{
		// The filesystem server of the MCP project.
		{"mcp__filesystem__write_file", `{"path":"a","content":"x"}`, "write write:a"},
		{"mcp__filesystem__edit_file", `{"path":"a","edits":[{"oldText":"x","newText":"y"}],"dryRun":false}`, "edit write:a"},
		{"mcp__filesystem__create_directory", `{"path":"d"}`, "write write:d"},
		{"mcp__filesystem__move_file", `{"source":"a","destination":"b"}`, "move move:a create:b"},
		{"mcp__filesystem__read_text_file", `{"path":"a","head":3}`, "read read:a"},
		{"mcp__filesystem__read_multiple_files", `{"paths":["a","b"]}`, "read read:a read:b"},
		{"mcp__filesystem__search_files", `{"path":"a","pattern":"x"}`, "search"},
		{"mcp__filesystem__list_directory", `{"path":"a"}`, "list"},
		{"mcp__filesystem__directory_tree", `{"path":"a"}`, "list"},
		{"mcp__filesystem__get_file_info", `{"path":"a"}`, "other"},
		// The same tool under the names that other clients give it.
		{"mcp_notes_write_note", `{"path":"a","body":"x"}`, "write write:a"},
		{"notes_write_note", `{"path":"a","text":"x"}`, "write write:a"},
		{"mcp__notes__write_note", `{"path":"a","content":"x"}`, "write write:a"},
		{"mcp__notes__read_note", `{"path":"a"}`, "read read:a"},
		// A path and content, whatever the name says; a name that says write, whatever else there is.
		{"thing", `{"path":"a","content":"x"}`, "write write:a"},
		{"thing", `{"file_path":"a","new_string":"x","old_string":"y"}`, "edit write:a"},
		{"mcp__s__thing", `{"targetFile":"a","codeEdit":"x"}`, "edit write:a"},
		{"thing", `{"path":"a"}`, "other"},
		{"updateFile", `{"uri":"file:///r/a%20b.go"}`, "write write:/r/a b.go"},
		{"save-file", `{"path":"a","file_content":"x"}`, "edit write:a"},
		{"createFSEntry", `{"fullPath":"a"}`, "write write:a"},
		{"insert_after", `{"relative_path":"a","body":"x"}`, "write write:a"},
		{"rename_symbol", `{"relative_path":"a","new_name":"x"}`, "write write:a"},
		{"rename_file", `{"path":"d/a","new_name":"b"}`, "move move:d/a create:d/b"},
		{"copy_file", `{"source":"a","destination":"b"}`, "write read:a create:b"},
		{"delete_file", `{"targetFile":"a"}`, "delete delete:a"},
		{"remove", `{"target":"src/a"}`, "delete delete:src/a"},
		{"delete_folder", `{"directory":"d"}`, "delete delete:d"},
		{"multi_replace_string_in_file", `{"replacements":[{"filePath":"a","newString":"x"},{"filePath":"b"}]}`, "edit write:a write:b"},
		{"push_files", `{"files":[{"path":"a","content":"x"},{"path":"b","content":"y"}]}`, "write write:a write:b"},
		{"editFiles", `{"files":["a","b"]}`, "write write:a write:b"},
		{"edit_notebook_file", `{"filePath":"a.ipynb","editType":"delete","newCode":""}`, "edit write:a.ipynb"},
		{"search_and_replace", `{"path":"a","search":"x","with":"y"}`, "write write:a"},
		{"screenshot", `{"outputPath":"a.png"}`, "other write:a.png"},
		{"get_report", `{"save_to":"r.md","path":"a"}`, "other write:r.md"},
		// Searching for a text is no content.
		{"find_text", `{"path":"a","text":"needle"}`, "search"},
		{"get_file_contents", `{"path":"a"}`, "read read:a"},
		// Tools with a verb among the arguments.
		{"str_replace_editor", `{"command":"view","path":"a"}`, "read read:a"},
		{"str_replace_editor", `{"command":"create","path":"a","file_text":"x"}`, "edit write:a"},
		{"developer__text_editor", `{"command":"str_replace","path":"a","old_str":"x","new_str":"y"}`, "edit write:a"},
		{"file", `{"action":"delete","path":"a"}`, "delete delete:a"},
		{"fs_read", `{"operations":[{"mode":"Line","path":"a"}]}`, "read read:a"},
		// … which must not talk a change away.
		{"write_file", `{"path":"a","content":"x","mode":"list"}`, "write write:a"},
		{"delete_file", `{"path":"a","action":"view"}`, "delete delete:a"},
		{"write_file", `{"path":"a","content":"x","tool":"read_file","args":{"path":"b"}}`, "write write:a"},
		{"str_replace_editor", `{"command":"view","path":"a","new_str":"x"}`, "edit write:a"},
		// Shells.
		{"developer__shell", `{"command":"cat a"}`, "shell"},
		{"run_in_terminal", `{"command":"rm a","explanation":"x"}`, "shell"},
		{"execute_command", `{"command":"ls","requires_approval":true}`, "shell"},
		{"launch-process", `{"command":"ls"}`, "shell"},
		{"exec", `{"command":["bash","-lc","ls"]}`, "shell"},
		{"runScript", `{"script":"ls"}`, "shell"},
		{"write_bash", `{"input":"rm a\n","shellId":"1"}`, "shell"},
		{"execute_sql", `{"query":"drop table x"}`, "other"},
		// Patches.
		{"applyPatch", `{"patch":` + string(quoted) + `}`, "patch"},
		{"apply_patch", `{"input":` + string(quoted) + `}`, "patch"},
		{"apply_patch", `{"patch":"nonsense"}`, "patch"},
		{"apply_diff", `{"path":"a","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}`, "edit write:a"},
		{"review_diff", `{"diff":` + string(quoted) + `}`, "other"},
		// Calls within calls.
		{"tool_call", `{"name":"x","arguments":{"path":"a","content":"x"}}`, "write write:a"},
		{"call_tool", `{"tool_name":"delete_file","args":{"path":"a"}}`, "delete delete:a"},
		// Outward effects are not judged.
		{"create_issue", `{"title":"x","body":"y"}`, "other"},
		{"mcp__github__update_pull_request", `{"owner":"o","repo":"r","title":"x"}`, "other"},
		{"save_memory", `{"fact":"x"}`, "other"},
		// A repository that is kept elsewhere …
		{"mcp__github__push_files", `{"owner":"o","repo":"r","branch":"main","files":[{"path":"src/a.go","content":"x"}],"message":"m"}`, "other"},
		{"mcp__github__create_or_update_file", `{"owner":"o","repo":"r","branch":"b","path":"a","content":"x","message":"m"}`, "other"},
		{"mcp__github__delete_file", `{"owner":"o","repo":"r","branch":"b","path":"a","message":"m"}`, "other"},
		{"mcp__gitlab__push_files", `{"project_id":"7","branch":"main","commit_message":"m","files":[{"file_path":"a","content":"x"}]}`, "other"},
		{"mcp__s__update_file", `{"repo_url":"https://git.example.org/o/r","branch":"b","path":"a","content":"x"}`, "other"},
		{"mcp__gitlab__create_or_update_file", `{"project_id":7,"branch":"main","file_path":"a","content":"x"}`, "other"},
		{"call_tool", `{"tool_name":"push_files","args":{"owner":"o","repo":"r","files":[{"path":"a","content":"x"}]}}`, "other"},
		// … and what only looks so.
		{"mcp__s__write_file", `{"owner":"o","repo":"r","path":"/p/a","content":"x"}`, "write write:/p/a"},
		{"mcp__s__write_file", `{"owner":"o","repo":"r","path":"../a","content":"x"}`, "write write:../a"},
		{"mcp__s__write_file", `{"owner":"o","repo":"/p","path":"a","content":"x"}`, "write write:a"},
		{"mcp__s__write_file", `{"repo":"file:///p","path":"a","content":"x"}`, "write write:a"},
		{"mcp__s__write_file", `{"owner":"o","path":"a","content":"x"}`, "write write:a"},
		{"mcp__git__create_branch", `{"repo":"/p","branch":"b"}`, "other"},
		{"mcp__s__write_file", `{"owner":"","repo":"","path":"a","content":"x"}`, "write write:a"},
		{"mcp__s__write_file", `{"project_id":"7","path":"a","content":"x"}`, "write write:a"},
		{"mcp__s__write_file", `{"repo_url":"https://git.example.org/o/r","path":"a","content":"x"}`, "write write:a"},
		{"mcp__s__write_file", `{"owner":["o"],"repo":"r","path":"a","content":"x"}`, "write write:a"},
		{"mcp__s__download_file", `{"owner":"o","repo":"r","path":"a"}`, "write write:a"},
		{"mcp__s__clone", `{"repo_url":"https://git.example.org/o/r","path":"a"}`, "write write:a"},
		{"mcp__s__run_command", `{"owner":"o","repo":"r","command":"rm a"}`, "shell"},
		// What changes nothing.
		{"mcp__filesystem__edit_file", `{"path":"a","edits":[{"oldText":"x","newText":"y"}],"dryRun":true}`, "other"},
		{"mcp__filesystem__write_file", `{"path":"a","content":"x","dryRun":true}`, "write write:a"},
		{"mcp__filesystem__edit_file", `{"path":"a","edits":[{"oldText":"x","newText":"y"}],"dryRun":"true"}`, "edit write:a"},
		{"str_replace_based_edit_tool", `{"command":"view","path":"a"}`, "read read:a"},
		{"str_replace_based_edit_tool", `{"command":"view","path":"a","new_str":"x"}`, "edit write:a"},
		{"str_replace_based_edit_tool", `{"command":"create","path":"a","file_text":"x"}`, "edit write:a"},
		{"write_note", `{"title":"a","content":"x"}`, "other"},
		{"write_todos", `{"todos":[]}`, "other"},
		{"move_card", `{"from":"doing","to":"done"}`, "other"},
		{"send_email", `{"to":"a@b.c","from":"x@y.z","body":"hi"}`, "other"},
		{"web_fetch", `{"url":"https://a.b/c"}`, "other"},
		{"read_resource", `{"server":"s","uri":"https://a.b/c"}`, "other"},
		// It writes files and does not say which.
		{"write_file", `{"name":"a","content":"x"}`, "write"},
		{"mcp__git__git_checkout", `{"repo_path":".","branch_name":"b"}`, "write"},
		{"thing", `null`, "other"},
		{"", `{}`, "other"},
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(test.args), &args); err != nil {
			t.Fatal(test.args, err)
		}
		class, paths := Heuristics(test.name, args)
		got := string(class)
		for _, p := range paths {
			got += " " + string(p.Op) + ":" + p.Path
		}
		if got != test.want {
			t.Errorf("Heuristics(%s, %s) = %q, want %q", test.name, test.args, got, test.want)
		}
	}
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{
		"mcp__my-server__write_file": "write file",
		"mcp_server_get_x":           "get x",
		"readFSFile":                 "read fs file",
		"HTTPGet":                    "http get",
		"str-replace-editor":         "str replace editor",
		"files.delete":               "files delete",
		"a__":                        "a",
		"EDIT":                       "edit",
		"datei_löschen":              "datei löschen",
	} {
		if got := strings.Join(nameWords(name), " "); got != want {
			t.Errorf("nameWords(%q) = %q, want %q", name, got, want)
		}
	}
}

// A change is never hidden by arguments that are added to a call.
func FuzzHeuristics(f *testing.F) {
	f.Add("mode", "view", "x")
	f.Add("command", "list", "read")
	f.Add("tool", "read_file", "args")
	f.Add("action", "get", "search")
	f.Fuzz(func(t *testing.T, key, value, other string) {
		switch meaning(argNames, flatten(key)) {
		case "path", "content": // would replace what the test is about
			return
		}
		for _, name := range []string{"write_file", "mcp__s__create_file", "editFile", "delete_file"} {
			args := map[string]any{"path": "p/q", "content": "x", key: value, other + "_": []any{value, map[string]any{key: value}}}
			if s, ok := args["path"].(string); !ok || s != "p/q" {
				return
			}
			class, paths := Heuristics(name, args)
			found := class == event.Patch
			for _, p := range paths {
				found = found || p.Path == "p/q" && p.Op != event.OpRead
			}
			if !found {
				t.Fatalf("%s with %q: %q is %s %v", name, key, value, class, paths)
			}
		}
	})
}
